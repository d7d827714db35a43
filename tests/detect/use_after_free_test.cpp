#include "detecting.h"

namespace heddle::detect {
namespace {

using trace::Trace;
using trace::TraceBuilder;

struct Heap {
  TraceBuilder b;
  TraceBuilder::Thread main = b.main_thread();
  TraceBuilder::Location block = main.allocate(24);
  TraceBuilder::Thread child = main.fork();
};

TEST(UseAfterFree, AnAccessOrderedAfterTheFreeIsCertain) {
  Heap h;
  h.main.join(h.child).free(h.block).at(1).read(h.block.part(8, 4)).at(2);
  const Trace trace = h.b.build();
  const Detections found = detect_all(trace);
  EXPECT_EQ(sites_of(trace, found.uses_after_free), (SitePairs{{1, 2}}));
  EXPECT_TRUE(found.races.empty());
}

TEST(UseAfterFree, AnUnorderedAccessAfterTheFreeIsARace) {
  Heap h;
  h.main.free(h.block).at(1);
  h.child.read(h.block).at(2);
  const Trace trace = h.b.build();
  const Detections found = detect_all(trace);
  EXPECT_EQ(sites_of(trace, found.races), (SitePairs{{1, 2}}));
  EXPECT_TRUE(found.races[0].has_free());
  EXPECT_TRUE(found.uses_after_free.empty());
}

TEST(UseAfterFree, AnUnorderedAccessBeforeTheFreeIsARace) {
  Heap h;
  h.child.read(h.block.part(16, 8)).at(1);
  h.main.free(h.block).at(2);
  const Trace trace = h.b.build();
  const Detections found = detect_all(trace);
  EXPECT_EQ(sites_of(trace, found.races), (SitePairs{{1, 2}}));
  EXPECT_EQ(found.races[0].first.offset, 16u);
}

TEST(UseAfterFree, OrderedAccessesBeforeTheFreeAreFine) {
  Heap h;
  h.child.write(h.block).at(1);
  h.main.join(h.child).write(h.block).at(2).free(h.block).at(3);
  const Detections found = detect_all(h.b.build());
  EXPECT_TRUE(found.races.empty());
  EXPECT_TRUE(found.uses_after_free.empty());
}

TEST(UseAfterFree, FreeingTwiceIsAUse) {
  Heap h;
  h.main.free(h.block).at(1).free(h.block).at(2);
  const Trace trace = h.b.build();
  EXPECT_EQ(sites_of(trace, detect_all(trace).uses_after_free), (SitePairs{{1, 2}}));
}

TEST(UseAfterFree, UnlockingAMutexInFreedMemoryIsAUse) {
  Heap h;
  const auto mutex = h.block;
  h.main.lock(mutex).free(h.block).at(1).unlock(mutex).at(2);
  const Trace trace = h.b.build();
  EXPECT_EQ(sites_of(trace, detect_all(trace).uses_after_free), (SitePairs{{1, 2}}));
}

TEST(UseAfterFree, LargeObjectsAreLookedAtAsAWhole) {
  TraceBuilder b;
  auto main = b.main_thread();
  const auto block = main.allocate(100'000);
  auto child = main.fork();
  child.write(block.part(99'000, 8)).at(1).write(block.part(0, 8)).at(2);
  main.free(block).at(3);
  EXPECT_EQ(races_of(b), (SitePairs{{1, 3}, {2, 3}}));
}

}  // namespace
}  // namespace heddle::detect
