// Trace: one execution as engines see it, read-only and in memory.
//
// A trace is thirteen tables (layout.h), an outcome, and two labels: the command that ran and the policy that
// made the schedule. Where the tables live is nobody's business: in a mapped trace file, in vectors, or,
// while the tool looks at the execution that just ended, in the arena itself. Copies and moves are cheap and
// share the tables, which never change; only a view of an arena is bound to what it looks at (see view_of).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "trace/arena.h"
#include "trace/layout.h"

namespace heddle::trace {

template <TableId id>
struct TableType;
#define HEDDLE_X(name, type)        \
  template <>                       \
  struct TableType<TableId::name> { \
    using Record = type;            \
  };
HEDDLE_TABLES(HEDDLE_X)
#undef HEDDLE_X

template <TableId id>
using RecordOf = typename TableType<id>::Record;

// The bytes of one record of a table.
size_t record_size(TableId table);

// The tables of a trace in the making: what builders and importers fill.
struct TraceTables {
  std::vector<char> strings;
  std::vector<ModuleRecord> modules;
  std::vector<ThreadRecord> threads;
  std::vector<SiteRecord> sites;
  std::vector<ContextRecord> contexts;
  std::vector<ObjectRecord> objects;
  std::vector<StepRecord> steps;
  std::vector<PointRecord> points;
  std::vector<CoverageRecord> coverage;
  std::vector<BlockedRecord> blocked;
  std::vector<ChoiceRecord> choices;
  std::vector<AlternativeRecord> alternatives;
  std::vector<RaceRecord> races;
  std::vector<EventRecord> events;
  OutcomeRecord outcome{};
  uint64_t events_dropped = 0;
  uint64_t events_lost = 0;

  // Appends `text` to the string table and returns its offset; the empty text is offset 0.
  uint32_t add_string(std::string_view text);
};

class Trace {
 public:
  // Where tables lie: begin and number of records. Only this module makes these.
  struct Table {
    const std::byte* data = nullptr;
    uint64_t count = 0;
  };
  using Tables = std::array<Table, kTableCount>;

  Trace();  // the execution in which nothing happened

  static Trace from_tables(TraceTables tables);

  // What the arena holds now. The result points into the arena, and is meaningful until the next execution
  // starts there; clone() it to keep it longer. In ring mode the events are copied into their order. Since a
  // broken program may have scribbled over the arena, a table that does not lie within `mapped_size` bytes
  // (0: what the header says) counts as empty, and validate() should be asked before indices are followed.
  static Trace view_of(const ArenaHeader* arena, uint64_t mapped_size = 0);

  // Tables that `storage` keeps alive.
  static Trace over(std::shared_ptr<const void> storage, const Tables& tables, const OutcomeRecord* outcome,
                    uint64_t events_dropped, uint64_t events_lost);

  // The same trace with these events, which, like its tables, `storage` keeps alive.
  Trace with_events(std::shared_ptr<const void> storage, std::span<const EventRecord> events) const;

  // The same trace in memory of its own.
  Trace clone() const;

  template <TableId id>
  std::span<const RecordOf<id>> table() const {
    const Table& where = tables_[static_cast<size_t>(id)];
    return {reinterpret_cast<const RecordOf<id>*>(where.data), static_cast<size_t>(where.count)};
  }
  std::span<const std::byte> table_bytes(TableId id) const;

  std::span<const char> strings() const { return table<TableId::kStrings>(); }
  std::span<const ModuleRecord> modules() const { return table<TableId::kModules>(); }
  std::span<const ThreadRecord> threads() const { return table<TableId::kThreads>(); }
  std::span<const SiteRecord> sites() const { return table<TableId::kSites>(); }
  std::span<const ContextRecord> contexts() const { return table<TableId::kContexts>(); }
  std::span<const ObjectRecord> objects() const { return table<TableId::kObjects>(); }
  std::span<const StepRecord> steps() const { return table<TableId::kSteps>(); }
  std::span<const PointRecord> points() const { return table<TableId::kPoints>(); }
  std::span<const CoverageRecord> coverage() const { return table<TableId::kCoverage>(); }
  std::span<const BlockedRecord> blocked() const { return table<TableId::kBlocked>(); }
  std::span<const ChoiceRecord> choices() const { return table<TableId::kChoices>(); }
  std::span<const AlternativeRecord> alternatives() const { return table<TableId::kAlternatives>(); }
  std::span<const RaceRecord> races() const { return table<TableId::kRaces>(); }
  std::span<const EventRecord> events() const { return table<TableId::kEvents>(); }

  const OutcomeRecord& outcome() const { return *outcome_; }
  std::string_view outcome_message() const;

  // When only the last events were kept: how many came before events()[0].
  uint64_t events_dropped() const { return events_dropped_; }
  // When there was no room for all events: how many came after the last of events().
  uint64_t events_lost() const { return events_lost_; }
  // The n-th event of the execution, or null if it is not among those kept.
  const EventRecord* event_at(uint64_t number) const;

  // The text at an offset of the string table; empty for 0 and for offsets outside.
  std::string_view string(uint32_t offset) const;

  // "main", "main/1", …
  std::string thread_name(uint32_t thread) const;

  // The words of the command line that ran, and the policy that made the schedule, such as "random seed 7".
  // The arena does not know them: whoever started the program says so with describe().
  const std::vector<std::string>& command() const { return command_; }
  const std::string& policy() const { return policy_; }
  void describe(std::vector<std::string> command, std::string policy);

 private:
  std::shared_ptr<const void> storage_;
  Tables tables_{};
  const OutcomeRecord* outcome_;
  uint64_t events_dropped_ = 0;
  uint64_t events_lost_ = 0;
  std::vector<std::string> command_;
  std::string policy_;
};

// A 64-bit digest of what happened: equal for two executions that did the same, on every machine. It covers
// every table and the outcome, but not what was asked for (command, policy, point set) and nothing that
// depends on the place (fault addresses, folders of modules, offsets of strings).
uint64_t trace_hash(const Trace& trace);

}  // namespace heddle::trace
