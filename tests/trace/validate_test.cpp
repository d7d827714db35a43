#include "trace/validate.h"

#include <gtest/gtest.h>

#include <functional>

#include "random_trace.h"
#include "trace/trace_builder.h"

namespace heddle::trace {
namespace {

// One module, two threads, and one record in every table.
TraceTables valid_tables() {
  TraceBuilder b;
  auto main = b.main_thread();
  auto child = main.fork();
  child.call(1).write(b.global());
  main.join(child);
  TraceTables tables = b.tables();
  tables.steps.push_back({});
  tables.points.push_back({});
  tables.coverage.push_back({});
  tables.blocked.push_back({});
  tables.choices.push_back({});
  return tables;
}

std::string damage_after(const std::function<void(TraceTables&)>& change) {
  TraceTables tables = valid_tables();
  change(tables);
  const auto damage = validate(Trace::from_tables(std::move(tables)));
  return damage ? damage->text() : "";
}

TEST(Validate, AcceptsWhatIsInOrder) {
  EXPECT_EQ(damage_after([](TraceTables&) {}), "");
  for (uint64_t seed = 0; seed < 500; ++seed) {
    const auto damage = validate(random_trace(seed));
    EXPECT_FALSE(damage) << seed << ": " << damage->text();
  }
}

TEST(Validate, NamesTheTableTheRecordAndTheRule) {
  EXPECT_EQ(damage_after([](TraceTables& t) { t.events[2].site = 17; }),
            "record 2 of table events: site 17 does not exist (there are 2)");
  EXPECT_EQ(damage_after([](TraceTables& t) { t.events[2].kind = static_cast<EventKind>(200); }),
            "record 2 of table events: unknown event kind 200");
  EXPECT_EQ(damage_after([](TraceTables& t) { t.outcome.thread = 2; }),
            "outcome: thread 2 does not exist (there are 2)");
}

struct Change {
  const char* expected;
  std::function<void(TraceTables&)> make;
};

TEST(Validate, RefusesEveryIndexThatLeadsNowhere) {
  const Change changes[] = {
      {"table strings: the table does not begin", [](auto& t) { t.strings[0] = 'x'; }},
      {"table strings: the last string is not terminated", [](auto& t) { t.strings.back() = 'x'; }},
      {"table modules: string", [](auto& t) { t.modules[0].path = 1000; }},
      {"table modules: string", [](auto& t) { t.modules[0].build_id = 1000; }},
      {"table threads: its parent", [](auto& t) { t.threads[1].parent = 1; }},
      {"table threads: it is child number 0", [](auto& t) { t.threads[1].ordinal = 0; }},
      {"table threads: it is child number 1 of its parent, after number 1",
       [](auto& t) { t.threads.push_back(t.threads[1]); }},
      {"table threads: site", [](auto& t) { t.threads[0].create_site = 1000; }},
      {"table threads: context", [](auto& t) { t.threads[0].create_context = 1000; }},
      {"table threads: string", [](auto& t) { t.threads[0].name = 1000; }},
      {"table sites: module", [](auto& t) { t.sites[1].module = 1; }},
      {"table contexts: its parent", [](auto& t) { t.contexts[1].parent = 1; }},
      {"table contexts: site", [](auto& t) { t.contexts[1].call_site = 1000; }},
      {"table objects: unknown object kind 9",
       [](auto& t) { t.objects[1].kind = static_cast<ObjectKind>(9); }},
      {"table objects: its memory does not come before it: object 1",
       [](auto& t) { t.objects[1] = {ObjectKind::kAtomicSet, 0, 0, 0, 0, 1}; }},
      {"table objects: module", [](auto& t) { t.objects[1] = {ObjectKind::kGlobal, 1, 0, 0, 0, 0}; }},
      {"table objects: thread", [](auto& t) { t.objects[1] = {ObjectKind::kStack, 2, 0, 0, 0, 0}; }},
      {"table objects: thread", [](auto& t) { t.objects[1] = {ObjectKind::kThread, 2, 0, 0, 0, 0}; }},
      {"table objects: site", [](auto& t) { t.objects[1].site = 1000; }},
      {"table objects: context", [](auto& t) { t.objects[1].context = 1000; }},
      {"table steps: thread", [](auto& t) { t.steps[0].thread = 2; }},
      {"table steps: unknown step kind 5", [](auto& t) { t.steps[0].kind = StepKind::kCount; }},
      {"table points: unknown point kind 4", [](auto& t) { t.points[0].kind = static_cast<PointKind>(4); }},
      {"table coverage: thread", [](auto& t) { t.coverage[0].thread = 2; }},
      {"table coverage: site", [](auto& t) { t.coverage[0].site = 1000; }},
      {"table blocked: thread", [](auto& t) { t.blocked[0].thread = 2; }},
      {"table blocked: unknown kind of wait 14",
       [](auto& t) { t.blocked[0].wait = static_cast<WaitKind>(14); }},
      {"table blocked: object", [](auto& t) { t.blocked[0].object = 1000; }},
      {"table blocked: site", [](auto& t) { t.blocked[0].site = 1000; }},
      {"table blocked: site", [](auto& t) { t.blocked[0].holder_site = 1000; }},
      {"table blocked: site", [](auto& t) { t.blocked[0].early_site = 1000; }},
      {"table blocked: context", [](auto& t) { t.blocked[0].context = 1000; }},
      {"table blocked: context", [](auto& t) { t.blocked[0].holder_context = 1000; }},
      {"table blocked: context", [](auto& t) { t.blocked[0].early_context = 1000; }},
      {"table blocked: holder", [](auto& t) { t.blocked[0].holder = 3; }},
      {"table blocked: notifier", [](auto& t) { t.blocked[0].early_notifier = 3; }},
      {"table blocked: event", [](auto& t) { t.blocked[0].early_event = 1000; }},
      {"table choices: thread", [](auto& t) { t.choices[0].chosen = 2; }},
      {"table events: thread", [](auto& t) { t.events[0].thread = 2; }},
      {"table events: context", [](auto& t) { t.events[0].context = 1000; }},
      {"table events: object", [](auto& t) { t.events[0].object = 1000; }},
      {"table events: thread", [](auto& t) { t.events[0].peer = 2; }},
      {"table events: unknown event kind 0", [](auto& t) { t.events[0].kind = EventKind::kNone; }},
      {"table events: unknown event kind", [](auto& t) { t.events[0].kind = EventKind::kCount; }},
      {"table events: waking thread",
       [](auto& t) {
         t.events[0].kind = EventKind::kCondWake;
         t.events[0].peer = 3;
       }},
      {"table events: unknown memory order 6",
       [](auto& t) {
         t.events[0].kind = EventKind::kFence;
         t.events[0].order = 6;
       }},
      {"outcome: unknown outcome kind", [](auto& t) { t.outcome.kind = OutcomeKind::kCount; }},
      {"outcome: site", [](auto& t) { t.outcome.site = 1000; }},
      {"outcome: context", [](auto& t) { t.outcome.context = 1000; }},
      {"outcome: object", [](auto& t) { t.outcome.object = 1000; }},
      {"outcome: impossible stack depth 65", [](auto& t) { t.outcome.stack_size = 65; }},
      {"outcome: site 1000",
       [](auto& t) {
         t.outcome.stack_size = 2;
         t.outcome.stack[1] = 1000;
       }},
      {"outcome: message not terminated",
       [](auto& t) { std::fill(std::begin(t.outcome.message), std::end(t.outcome.message), 'x'); }},
  };
  for (const Change& change : changes) {
    EXPECT_NE(damage_after(change.make).find(change.expected), std::string::npos)
        << "expected '" << change.expected << "', got '" << damage_after(change.make) << "'";
  }
}

}  // namespace
}  // namespace heddle::trace
