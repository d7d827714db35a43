#include "trace/trace.h"

#include <sys/wait.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "support/check.h"
#include "trace/names.h"

namespace heddle::trace {
namespace {

constexpr size_t kRecordSizes[] = {
#define HEDDLE_X(name, type) sizeof(type),
    HEDDLE_TABLES(HEDDLE_X)
#undef HEDDLE_X
};

const OutcomeRecord kNothingHappened{};

template <typename Record>
Trace::Table table_over(const std::vector<Record>& records) {
  return {reinterpret_cast<const std::byte*>(records.data()), records.size()};
}

Trace::Table& at(Trace::Tables& tables, TableId id) {
  return tables[static_cast<size_t>(id)];
}

// The records of an arena table that were written completely and lie inside the mapping.
Trace::Table table_in_arena(const ArenaHeader* arena, uint64_t size, TableId id) {
  const TableRecord& table = arena->tables[static_cast<size_t>(id)];
  const bool aligned = table.offset % alignof(uint64_t) == 0;
  if (!aligned || table.offset > size || table.capacity > (size - table.offset) / record_size(id)) {
    return {};
  }
  return {reinterpret_cast<const std::byte*>(arena) + table.offset, std::min(table.count, table.capacity)};
}

// The events of a ring that has wrapped, oldest first.
std::vector<EventRecord> unroll(const EventRecord* ring, uint64_t capacity, uint64_t written, bool torn) {
  // The oldest slot is the one written next: if the program was killed, it may hold half of a new event.
  const uint64_t kept = torn ? capacity - 1 : capacity;
  std::vector<EventRecord> events;
  events.reserve(kept);
  for (uint64_t number = written - kept; number < written; ++number) {
    events.push_back(ring[number % capacity]);
  }
  return events;
}

}  // namespace

size_t record_size(TableId table) {
  return kRecordSizes[static_cast<size_t>(table)];
}

uint32_t TraceTables::add_string(std::string_view text) {
  if (strings.empty()) {
    strings.push_back('\0');
  }
  if (text.empty()) {
    return 0;
  }
  const auto offset = static_cast<uint32_t>(strings.size());
  strings.insert(strings.end(), text.begin(), text.end());
  strings.push_back('\0');
  return offset;
}

Trace::Trace() : outcome_(&kNothingHappened) {}

Trace Trace::over(std::shared_ptr<const void> storage, const Tables& tables, const OutcomeRecord* outcome,
                  uint64_t events_dropped, uint64_t events_lost) {
  Trace trace;
  trace.storage_ = std::move(storage);
  trace.tables_ = tables;
  trace.outcome_ = outcome;
  trace.events_dropped_ = events_dropped;
  trace.events_lost_ = events_lost;
  return trace;
}

Trace Trace::from_tables(TraceTables tables) {
  const auto owned = std::make_shared<const TraceTables>(std::move(tables));
  Tables spans;
  at(spans, TableId::kStrings) = table_over(owned->strings);
  at(spans, TableId::kModules) = table_over(owned->modules);
  at(spans, TableId::kThreads) = table_over(owned->threads);
  at(spans, TableId::kSites) = table_over(owned->sites);
  at(spans, TableId::kContexts) = table_over(owned->contexts);
  at(spans, TableId::kObjects) = table_over(owned->objects);
  at(spans, TableId::kSteps) = table_over(owned->steps);
  at(spans, TableId::kPoints) = table_over(owned->points);
  at(spans, TableId::kCoverage) = table_over(owned->coverage);
  at(spans, TableId::kBlocked) = table_over(owned->blocked);
  at(spans, TableId::kChoices) = table_over(owned->choices);
  at(spans, TableId::kAlternatives) = table_over(owned->alternatives);
  at(spans, TableId::kRaces) = table_over(owned->races);
  at(spans, TableId::kEvents) = table_over(owned->events);
  return over(owned, spans, &owned->outcome, owned->events_dropped, owned->events_lost);
}

Trace Trace::view_of(const ArenaHeader* arena, uint64_t mapped_size) {
  const uint64_t size = mapped_size != 0 ? mapped_size : arena->arena_size;
  Tables tables;
  for (size_t i = 0; i < kTableCount; ++i) {
    tables[i] = table_in_arena(arena, size, static_cast<TableId>(i));
  }
  Table& events = at(tables, TableId::kEvents);
  const TableRecord& ring = arena->tables[static_cast<size_t>(TableId::kEvents)];
  if (events.count == 0 || ring.count <= ring.capacity) {
    // Not a ring, or not full: what the runtime had to drop came after these.
    return over(nullptr, tables, &arena->outcome, 0, arena->events_dropped);
  }
  const auto owned = std::make_shared<const std::vector<EventRecord>>(
      unroll(reinterpret_cast<const EventRecord*>(events.data), ring.capacity, ring.count,
             WIFSIGNALED(arena->wait_status)));
  events = table_over(*owned);
  return over(owned, tables, &arena->outcome, ring.count - owned->size(), 0);
}

Trace Trace::with_events(std::shared_ptr<const void> storage, std::span<const EventRecord> events) const {
  Trace trace = *this;
  trace.storage_ = std::move(storage);
  trace.tables_[static_cast<size_t>(TableId::kEvents)] = {std::as_bytes(events).data(), events.size()};
  return trace;
}

Trace Trace::clone() const {
  const auto copy = [](const auto& span) { return std::vector(span.begin(), span.end()); };
  TraceTables tables;
  tables.strings = copy(strings());
  tables.modules = copy(modules());
  tables.threads = copy(threads());
  tables.sites = copy(sites());
  tables.contexts = copy(contexts());
  tables.objects = copy(objects());
  tables.steps = copy(steps());
  tables.points = copy(points());
  tables.coverage = copy(coverage());
  tables.blocked = copy(blocked());
  tables.choices = copy(choices());
  tables.alternatives = copy(alternatives());
  tables.races = copy(races());
  tables.events = copy(events());
  tables.outcome = *outcome_;
  tables.events_dropped = events_dropped_;
  tables.events_lost = events_lost_;
  Trace trace = from_tables(std::move(tables));
  trace.describe(command_, policy_);
  return trace;
}

std::span<const std::byte> Trace::table_bytes(TableId id) const {
  const Table& table = tables_[static_cast<size_t>(id)];
  return {table.data, static_cast<size_t>(table.count * record_size(id))};
}

std::string_view Trace::outcome_message() const {
  return {outcome_->message, strnlen(outcome_->message, sizeof(outcome_->message))};
}

const EventRecord* Trace::event_at(uint64_t number) const {
  const uint64_t index = number - events_dropped_;
  return number >= events_dropped_ && index < events().size() ? &events()[index] : nullptr;
}

std::string_view Trace::string(uint32_t offset) const {
  const std::span<const char> all = strings();
  if (offset == 0 || offset >= all.size()) {
    return {};
  }
  return {all.data() + offset, strnlen(all.data() + offset, all.size() - offset)};
}

std::string Trace::thread_name(uint32_t thread) const {
  return thread_path(threads(), thread);
}

void Trace::describe(std::vector<std::string> command, std::string policy) {
  command_ = std::move(command);
  policy_ = std::move(policy);
}

}  // namespace heddle::trace
