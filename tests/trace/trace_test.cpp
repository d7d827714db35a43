#include "trace/trace.h"

#include <gtest/gtest.h>

#include <csignal>
#include <cstring>

#include "random_trace.h"
#include "trace/trace_builder.h"
#include "trace/validate.h"

namespace heddle::trace {
namespace {

// An arena as the tool makes it, with room for `capacity` records in every table.
class FakeArena {
 public:
  explicit FakeArena(uint64_t capacity) {
    uint64_t end = kArenaHeaderRoom;
    for (size_t i = 0; i < kTableCount; ++i) {
      tables_[i] = {end, capacity, 0};
      end += (capacity * record_size(static_cast<TableId>(i)) + 7) / 8 * 8;
    }
    memory_.resize(end / 8);
    std::memcpy(header()->tables, tables_, sizeof(tables_));
    header()->arena_size = end;
  }

  ArenaHeader* header() { return reinterpret_cast<ArenaHeader*>(memory_.data()); }
  TableRecord& table(TableId id) { return header()->tables[static_cast<size_t>(id)]; }

  template <TableId id>
  void append(const RecordOf<id>& record) {
    TableRecord& where = table(id);
    const uint64_t slot = where.count % where.capacity;
    std::memcpy(reinterpret_cast<char*>(memory_.data()) + where.offset + slot * sizeof(record), &record,
                sizeof(record));
    ++where.count;
  }

  void append_event(uint64_t offset) {
    EventRecord event{};
    event.kind = EventKind::kRead;
    event.offset = offset;
    append<TableId::kEvents>(event);
  }

 private:
  std::vector<uint64_t> memory_;
  TableRecord tables_[kTableCount] = {};
};

std::vector<uint64_t> offsets(const Trace& trace) {
  std::vector<uint64_t> offsets;
  for (const EventRecord& event : trace.events()) {
    offsets.push_back(event.offset);
  }
  return offsets;
}

TEST(Trace, StartsEmpty) {
  const Trace trace;
  EXPECT_TRUE(trace.events().empty());
  EXPECT_EQ(trace.outcome().kind, OutcomeKind::kOk);
  EXPECT_EQ(trace.string(0), "");
  EXPECT_EQ(trace.string(17), "");
  EXPECT_EQ(trace.thread_name(0), "main");
  EXPECT_FALSE(validate(trace));
}

TEST(Trace, GivesStringsAndLabels) {
  TraceTables tables;
  const uint32_t hello = tables.add_string("hello"), world = tables.add_string("world");
  EXPECT_EQ(tables.add_string(""), 0u);
  Trace trace = Trace::from_tables(std::move(tables));
  trace.describe({"./prog", "-x"}, "random seed 7");
  EXPECT_EQ(trace.string(hello), "hello");
  EXPECT_EQ(trace.string(world), "world");
  EXPECT_EQ(trace.string(world + 2), "rld");
  EXPECT_EQ(trace.command(), (std::vector<std::string>{"./prog", "-x"}));
  EXPECT_EQ(trace.policy(), "random seed 7");
}

TEST(Trace, CopiesShareTheTablesAndOutliveTheOriginal) {
  auto original = std::make_unique<Trace>(random_trace(1));
  const Trace copy = *original;
  const Trace clone = original->clone();
  EXPECT_EQ(copy.events().data(), original->events().data());
  EXPECT_NE(clone.events().data(), original->events().data());
  const uint64_t hash = trace_hash(*original);
  original.reset();
  EXPECT_EQ(trace_hash(copy), hash);
  EXPECT_EQ(trace_hash(clone), hash);
  EXPECT_EQ(clone.command(), copy.command());
}

TEST(ArenaView, ShowsTheTablesInPlace) {
  FakeArena arena(4);
  arena.append<TableId::kThreads>({});
  arena.append_event(10);
  arena.append_event(11);
  arena.header()->outcome.exit_code = 5;
  const Trace trace = Trace::view_of(arena.header());
  EXPECT_EQ(offsets(trace), (std::vector<uint64_t>{10, 11}));
  EXPECT_EQ(trace.events_dropped(), 0u);
  EXPECT_EQ(trace.outcome().exit_code, 5);
  EXPECT_EQ(trace.threads().size(), 1u);
  EXPECT_FALSE(validate(trace));
}

TEST(ArenaView, OfAFullTableIsNotARing) {
  FakeArena arena(4);
  for (uint64_t i = 0; i < 4; ++i) {
    arena.append_event(i);
  }
  arena.header()->events_dropped = 7;
  const Trace trace = Trace::view_of(arena.header());
  EXPECT_EQ(offsets(trace), (std::vector<uint64_t>{0, 1, 2, 3}));
  EXPECT_EQ(trace.events_dropped(), 0u);
  EXPECT_EQ(trace.events_lost(), 7u);
}

TEST(ArenaView, PutsARingInOrder) {
  FakeArena arena(4);
  for (uint64_t written = 1; written <= 20; ++written) {
    arena.append_event(written - 1);
    const Trace trace = Trace::view_of(arena.header());
    const uint64_t kept = std::min<uint64_t>(written, 4);
    ASSERT_EQ(trace.events().size(), kept);
    EXPECT_EQ(trace.events_dropped(), written - kept);
    for (uint64_t i = 0; i < kept; ++i) {
      EXPECT_EQ(trace.events()[i].offset, written - kept + i);
    }
  }
}

TEST(ArenaView, OfAKilledProgramLeavesOutTheSlotThatWasBeingWritten) {
  FakeArena arena(4);
  for (uint64_t i = 0; i < 6; ++i) {
    arena.append_event(i);
  }
  arena.header()->wait_status = SIGKILL;
  const Trace trace = Trace::view_of(arena.header());
  EXPECT_EQ(offsets(trace), (std::vector<uint64_t>{3, 4, 5}));
  EXPECT_EQ(trace.events_dropped(), 3u);
  EXPECT_EQ(trace.event_at(2), nullptr);
  EXPECT_EQ(trace.event_at(3)->offset, 3u);
  EXPECT_EQ(trace.event_at(6), nullptr);
}

TEST(ArenaView, OfAScribbledArenaStaysInside) {
  FakeArena arena(4);
  arena.append<TableId::kThreads>({});
  arena.append_event(1);
  arena.table(TableId::kSites) = {arena.header()->arena_size + 8, 1, 1};
  arena.table(TableId::kContexts) = {kArenaHeaderRoom, UINT64_MAX, 1};
  arena.table(TableId::kObjects) = {kArenaHeaderRoom + 1, 1, 1};
  arena.table(TableId::kModules).count = 1000;
  const uint64_t size = arena.header()->arena_size;
  arena.header()->arena_size = UINT64_MAX;
  const Trace trace = Trace::view_of(arena.header(), size);
  EXPECT_TRUE(trace.sites().empty());
  EXPECT_TRUE(trace.contexts().empty());
  EXPECT_TRUE(trace.objects().empty());
  EXPECT_EQ(trace.modules().size(), 4u);
  EXPECT_EQ(trace.events().size(), 1u);
}

Trace small_trace(const char* program, uint64_t fault_address) {
  TraceBuilder b(program);
  auto x = b.global();
  auto main = b.main_thread();
  auto child = main.fork();
  child.write(x).at(1);
  main.read(x).at(2).join(child);
  b.outcome(OutcomeKind::kAssertion, main, "x == 1");
  b.tables().outcome.fault_address = fault_address;
  return b.build();
}

TEST(TraceHash, IsTheSameOnEveryMachine) {
  EXPECT_EQ(trace_hash(small_trace("prog", 0)), 6180066628906441098u);
}

TEST(TraceHash, IgnoresThePlaceAndTheRequest) {
  const uint64_t hash = trace_hash(small_trace("prog", 0));
  EXPECT_EQ(trace_hash(small_trace("/somewhere/else/prog", 0xdead)), hash);
  Trace described = small_trace("prog", 0);
  described.describe({"./prog"}, "random seed 1");
  EXPECT_EQ(trace_hash(described), hash);
  EXPECT_NE(trace_hash(small_trace("other", 0)), hash);
}

TEST(TraceHash, SeesEveryTable) {
  const uint64_t hash = trace_hash(random_trace(3));
  const auto changed = [](auto change) {
    TraceBuilder b;
    b.main_thread().read(b.global());
    TraceTables& t = b.tables();
    t.steps = {{0, StepKind::kRun, 1, 0}};
    change(t);
    return trace_hash(b.build());
  };
  const uint64_t base = changed([](TraceTables&) {});
  EXPECT_NE(base, hash);
  EXPECT_NE(base, changed([](TraceTables& t) { t.modules[0].size++; }));
  EXPECT_NE(base, changed([](TraceTables& t) { t.threads[0].flags++; }));
  EXPECT_NE(base, changed([](TraceTables& t) { t.threads[0].name = t.add_string("worker"); }));
  EXPECT_NE(base, changed([](TraceTables& t) { t.sites.push_back({}); }));
  EXPECT_NE(base, changed([](TraceTables& t) { t.contexts.push_back({}); }));
  EXPECT_NE(base, changed([](TraceTables& t) { t.objects[1].size++; }));
  EXPECT_NE(base, changed([](TraceTables& t) { t.steps[0].count++; }));
  EXPECT_NE(base, changed([](TraceTables& t) { t.coverage.push_back({}); }));
  EXPECT_NE(base, changed([](TraceTables& t) { t.blocked.push_back({}); }));
  EXPECT_NE(base, changed([](TraceTables& t) { t.choices.push_back({}); }));
  EXPECT_NE(base, changed([](TraceTables& t) { t.events[0].offset++; }));
  EXPECT_NE(base, changed([](TraceTables& t) { t.events_dropped++; }));
  EXPECT_NE(base, changed([](TraceTables& t) { t.events_lost++; }));
  EXPECT_NE(base, changed([](TraceTables& t) { t.outcome.exit_code++; }));
  EXPECT_NE(base, changed([](TraceTables& t) { t.outcome.message[0] = 'x'; }));
  EXPECT_EQ(base, changed([](TraceTables& t) { t.points.push_back({}); }));
}

}  // namespace
}  // namespace heddle::trace
