#include "symbolize/stack_names.h"

#include <gtest/gtest.h>

namespace heddle {
namespace {

using trace::EventKind;

constexpr uint64_t kBase = trace::kStackTop - 512;

// Pool pool; int workers; of a frame, as a compiler lays them out.
const std::vector<FramePart> kFrame = {
    {.path = "pool.mutex_", .word = "mutex_", .begin = -200, .size = 40, .is_opaque = true},
    {.path = "pool.idle_", .word = "idle_", .begin = -160, .size = 80, .is_opaque = true},
    {.path = "pool.waiting_", .word = "waiting_", .begin = -80, .size = 4},
    {.path = "workers", .word = "workers", .begin = -76, .size = 4},
};

StackUse use(int64_t place, std::string_view source, EventKind kind, uint64_t size) {
  return {kBase + static_cast<uint64_t>(place), {source, kind, size, nullptr}};
}

TEST(StackNames, OneLockTellsWhereAllVariablesOfItsFrameAre) {
  const auto fit = fit_frame(kFrame, {use(-200, "std::lock_guard lock(mutex_);", EventKind::kLock, 0)});
  ASSERT_TRUE(fit);
  EXPECT_EQ(fit->base, kBase);
  const auto name_at = [&](int64_t place) {
    const FramePart* part = part_at(kFrame, *fit, kBase + static_cast<uint64_t>(place));
    return part == nullptr ? "" : part->path;
  };
  EXPECT_EQ(name_at(-112), "pool.idle_") << "the insides of a std::deque";
  EXPECT_EQ(name_at(-80), "pool.waiting_");
  EXPECT_EQ(name_at(-76), "workers");
  EXPECT_EQ(name_at(-72), "");
}

TEST(StackNames, TheLinesThatAgreeOutvoteOneThatMentionsSomethingElse) {
  const std::vector<StackUse> uses = {
      use(-200, "std::lock_guard lock(mutex_);", EventKind::kLock, 0),
      use(-80, "++waiting_;", EventKind::kWrite, 4),
      // Of another object, through a reference that has the name of a variable of this frame.
      use(-60, "workers = 2;", EventKind::kWrite, 4),
  };
  const auto fit = fit_frame(kFrame, uses);
  ASSERT_TRUE(fit);
  EXPECT_EQ(fit->base, kBase);
  EXPECT_EQ(fit->score, 2u);
}

TEST(StackNames, NoNameWhereEveryPlaceInsideALibraryTypeCouldBeMeant) {
  EXPECT_FALSE(fit_frame(kFrame, {use(-112, "idle_.push_back(connection);", EventKind::kWrite, 8)}));
  EXPECT_FALSE(fit_frame(kFrame, {}));
}

TEST(StackNames, NoNameWhereTwoVariablesShareAPlace) {
  std::vector<FramePart> shared = kFrame;
  shared.push_back({.path = "i", .word = "i", .begin = -76, .size = 4});
  EXPECT_EQ(part_at(shared, {kBase, 1}, kBase - 76), nullptr);
  EXPECT_NE(part_at(shared, {kBase, 1}, kBase - 80), nullptr);
}

TEST(StackNames, FramesOfSeveralCallsAreToldApartByWhatSpeaksForThem) {
  const std::vector<FramePart> other = {{.path = "waiting_", .word = "waiting_", .begin = -80, .size = 4}};
  StackNames names;
  for (const StackUse& each : {use(-200, "std::lock_guard lock(mutex_);", EventKind::kLock, 0),
                               use(-80, "++waiting_;", EventKind::kWrite, 4)}) {
    names.add(1, &kFrame, each);
    names.add(2, &other, each);
  }
  names.fit();
  EXPECT_EQ(names.name_at(kBase - 80), "pool.waiting_");
}

}  // namespace
}  // namespace heddle
