// What is read of a call that was made alone, on hand-written traces.
#include "generate/call_footprint.h"

#include <gtest/gtest.h>

#include "trace/trace_builder.h"

namespace heddle::generate {
namespace {

using trace::EventKind;
using trace::Trace;
using trace::TraceBuilder;

constexpr uint64_t kOperationSite = 100;
constexpr uint64_t kLineOfLibrary = 1000;
constexpr uint64_t kLineOfDriver = 2000;
constexpr uint64_t kNoLine = 3000;  // sites that the test does not number
// Of the two objects under test, which lie one behind the other.
constexpr uint32_t kSizeOfObject = 64;

// Call sites from 100 on are those of operations; a yield marks the next call.
class ByNumber : public CallLocator {
 public:
  bool is_operation(const Trace& trace, uint32_t site) override {
    return trace.sites()[site].offset == operation_offset;
  }
  SiteKeys keys(const Trace& trace, uint32_t site) override {
    const uint64_t line = trace.sites()[site].offset;
    if (line == operation_offset) return {.exact = operation_code, .code = operation_code};
    if (line >= kLineOfDriver && line < kNoLine) return {.exact = line, .is_driver = true};
    if (line >= kLineOfLibrary && line < kNoLine) return {.exact = line, .is_in_library = true};
    return {.exact = line, .code = line, .innermost = line};
  }
  ObjectPart part_of_object(const Trace& trace, const trace::EventRecord& event) override {
    if (trace.objects()[event.object].kind != trace::ObjectKind::kGlobal) return {};
    if (event.offset < kSizeOfObject) return {ObjectPart::Of::kObject, event.offset};
    return {ObjectPart::Of::kOther, event.offset - kSizeOfObject};
  }
  bool is_variable(const Trace& /*trace*/, const trace::EventRecord& /*event*/) override { return true; }
  int64_t marked_call(const Trace& trace, const trace::EventRecord& event) override {
    if (event.kind != EventKind::kYield) return -1;
    int64_t before = 0;
    for (const trace::EventRecord& other : trace.events()) {
      if (&other == &event) return before;
      before += other.kind == EventKind::kYield ? 1 : 0;
    }
    return -1;
  }
  uint64_t operation_offset = 0;
  uint64_t operation_code = 0;  // of the method, as far as it is compiled into the operation's function
};

CallFootprint read(const Trace& trace, uint64_t operation_code = 0) {
  ByNumber locator;
  locator.operation_code = operation_code;
  // The only context whose parent is the root is that of the harness calling operations.
  locator.operation_offset = trace.sites()[trace.contexts()[1].call_site].offset;
  return read_last_call(trace, locator);
}

TEST(CallFootprint, IsOfTheLastCallAndOfNothingAroundIt) {
  TraceBuilder builder;
  const auto x = builder.global(), y = builder.global(), z = builder.global();
  auto main = builder.main_thread();
  main.event(EventKind::kYield).call(kOperationSite).write(x).leave();
  main.event(EventKind::kYield).call(kOperationSite).read(y).leave();
  main.write(z);  // the harness
  const CallFootprint footprint = read(builder.build());
  ASSERT_EQ(footprint.accesses.size(), 1U);
  EXPECT_FALSE(footprint.accesses[0].writes);
}

TEST(CallFootprint, KnowsTheCriticalSectionOfEachAccess) {
  TraceBuilder builder;
  const auto x = builder.global(), m = builder.global();
  auto main = builder.main_thread();
  main.event(EventKind::kYield).call(kOperationSite);
  main.lock(m).read(x).unlock(m).lock(m).write(x).unlock(m).write(x).leave();
  const CallFootprint footprint = read(builder.build());
  ASSERT_EQ(footprint.accesses.size(), 3U);
  ASSERT_EQ(footprint.accesses[0].held.size(), 1U);
  ASSERT_EQ(footprint.accesses[1].held.size(), 1U);
  EXPECT_EQ(footprint.accesses[0].held[0].lock, footprint.accesses[1].held[0].lock);
  EXPECT_NE(footprint.accesses[0].held[0].section, footprint.accesses[1].held[0].section);
  EXPECT_TRUE(footprint.accesses[2].held.empty());
}

TEST(CallFootprint, SeesLocksInsideLocksWaitsAndWakes) {
  TraceBuilder builder;
  const auto a = builder.global(), b = builder.global(), c = builder.global();
  auto main = builder.main_thread();
  main.event(EventKind::kYield).call(kOperationSite);
  main.lock(a).lock(b).unlock(b).unlock(a).notify_one(c, 0).leave();
  const CallFootprint footprint = read(builder.build());
  EXPECT_EQ(footprint.nested.size(), 1U);
  EXPECT_EQ(footprint.wakes.size(), 1U);
  EXPECT_TRUE(footprint.waits.empty());
}

TEST(CallFootprint, TheSameCallCoversTheSame) {
  const auto call_twice = [](bool locked) {
    TraceBuilder builder;
    const auto x = builder.global(), m = builder.global();
    auto main = builder.main_thread();
    main.event(EventKind::kYield).call(kOperationSite);
    if (locked) main.lock(m);
    for (int i = 0; i < 3; ++i) main.write(x).at(7);
    if (locked) main.unlock(m);
    main.leave();
    return read(builder.build());
  };
  EXPECT_EQ(call_twice(true).signature(), call_twice(true).signature());
  EXPECT_NE(call_twice(true).signature(), call_twice(false).signature());
  EXPECT_EQ(call_twice(false).accesses.size(), 1U);
}

// Of a call that does this.
template <class Do>
CallFootprint footprint_of(Do make_accesses, uint64_t operation_code = 0) {
  TraceBuilder builder;
  const auto objects = builder.global(2 * kSizeOfObject);
  auto main = builder.main_thread();
  const auto old = main.allocate(256);  // by a library, for the class
  main.at(kLineOfLibrary);
  main.event(EventKind::kYield).call(kOperationSite);
  make_accesses(main, objects, old);
  main.leave();
  return read(builder.build(), operation_code);
}

template <class Do>
std::vector<uint64_t> coverage_of(Do make_accesses) {
  return footprint_of(make_accesses).coverage;
}

using Thread = TraceBuilder::Thread;
using Where = TraceBuilder::Location;

TEST(CallFootprint, WhatTheDriverDoesWithResultsCoversNothing) {
  const auto covered = coverage_of(
      [](Thread& main, Where object, Where /*old*/) { main.read(object.part(0, 8)).at(kLineOfDriver); });
  EXPECT_TRUE(covered.empty());
}

TEST(CallFootprint, WhatALibraryDoesIsDoneWhereTheClassCallsIt) {
  const auto call = [](uint64_t line_of_class, uint64_t line_of_library, uint64_t offset) {
    return coverage_of([=](Thread& main, Where /*object*/, Where old) {
      main.call(line_of_class).read(old.part(offset, 8)).at(line_of_library).leave();
    });
  };
  EXPECT_EQ(call(7, kLineOfLibrary, 0), call(7, kLineOfLibrary + 1, 8));
  EXPECT_NE(call(7, kLineOfLibrary, 0), call(8, kLineOfLibrary, 0));
  EXPECT_EQ(call(7, kLineOfLibrary, 0).size(), 1U);
}

// What could go wrong between two calls is not only a question of the class's own lines.
TEST(CallFootprint, ConflictsAreOfEachAccessOfALibrary) {
  const auto call = [](uint64_t line_of_library, uint64_t offset) {
    return footprint_of([=](Thread& main, Where /*object*/, Where old) {
      main.call(7).read(old.part(offset, 8)).at(line_of_library).leave();
    });
  };
  const CallFootprint one = call(kLineOfLibrary, 0), other = call(kLineOfLibrary + 1, 8);
  ASSERT_EQ(one.coverage, other.coverage);
  ASSERT_EQ(one.accesses.size(), 1U);
  ASSERT_EQ(other.accesses.size(), 1U);
  EXPECT_NE(one.accesses[0].place, other.accesses[0].place);
  EXPECT_NE(one.accesses[0].location, other.accesses[0].location);
  EXPECT_NE(one.signature(), other.signature());
}

TEST(CallFootprint, WhereAnAccessIsDoesNotDependOnTheOperation) {
  const auto call = [](uint64_t operation_code) {
    return footprint_of([](Thread& main, Where object,
                           Where /*old*/) { main.call(7).write(object.part(0, 8)).at(8).leave(); },
                        operation_code);
  };
  EXPECT_EQ(call(20).accesses, call(21).accesses);
  EXPECT_NE(call(20).coverage, call(21).coverage) << "a method in a header is part of the context";
}

TEST(CallFootprint, WhatALibraryMakesInTheCallIsNobodyElsesYet) {
  const auto covered = coverage_of([](Thread& main, Where /*object*/, Where /*old*/) {
    main.call(7);
    const auto text = main.allocate(64);
    main.at(kLineOfLibrary).write(text).at(kLineOfLibrary + 1).leave();
  });
  EXPECT_TRUE(covered.empty());
}

TEST(CallFootprint, FieldsOfTheClassAreToldApart) {
  const auto write = [](uint64_t offset) {
    return coverage_of(
        [=](Thread& main, Where object, Where /*old*/) { main.write(object.part(offset, 8)).at(7); });
  };
  EXPECT_NE(write(0), write(8));
}

TEST(CallFootprint, TheSecondObjectHasTheFieldsOfTheFirst) {
  const auto write = [](uint64_t object, uint64_t locked) {
    return coverage_of([=](Thread& main, Where objects, Where /*old*/) {
      const Where mutex = objects.part(locked * kSizeOfObject, 8);
      main.lock(mutex).write(objects.part(object * kSizeOfObject + 8, 8)).at(7).unlock(mutex);
    });
  };
  EXPECT_EQ(write(0, 0), write(1, 1));
  EXPECT_NE(write(0, 0), write(0, 1)) << "under the lock of the other one";
}

}  // namespace
}  // namespace heddle::generate
