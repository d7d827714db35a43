#include "trace/validate.h"

#include <algorithm>
#include <cstring>

#include <fmt/format.h>

#include "trace/dependence.h"
#include "trace/names.h"

namespace heddle::trace {
namespace {

// Nobody survives much more than this beyond the end of a block.
constexpr uint64_t kMaxOverrun = uint64_t{1} << 20;

// How many of everything there is; at least one where index 0 means "none".
struct Counts {
  Counts(const Trace& trace, uint64_t recorded)
      : strings(std::max<uint64_t>(1, trace.strings().size())),
        modules(trace.modules().size()),
        threads(trace.threads().size()),
        sites(std::max<uint64_t>(1, trace.sites().size())),
        contexts(std::max<uint64_t>(1, trace.contexts().size())),
        objects(std::max<uint64_t>(1, trace.objects().size())),
        alternatives(trace.alternatives().size()),
        events(trace.events_dropped() + recorded + trace.events_lost()) {}

  uint64_t strings, modules, threads, sites, contexts, objects, alternatives, events;
};

// Collects the first broken rule of a record without allocating: events come by the million.
class Rules {
 public:
  void exists(const char* what, uint64_t index, uint64_t count) {
    if (index >= count) {
      broken("{} {} does not exist (there are {})", what, index, count);
    }
  }
  template <typename Enum>
  void known(const char* what, Enum value, Enum end) {
    if (value >= end) {
      broken("unknown {} {}", what, static_cast<uint64_t>(value), 0);
    }
  }
  void hold(bool condition, const char* what, uint64_t value) {
    if (!condition) {
      broken("{} {}", what, value, 0);
    }
  }

  bool ok() const { return format_ == nullptr; }
  std::string text() const { return fmt::format(fmt::runtime(format_), what_, value_, limit_); }

 private:
  void broken(const char* format, const char* what, uint64_t value, uint64_t limit) {
    if (ok()) {
      format_ = format;
      what_ = what;
      value_ = value;
      limit_ = limit;
    }
  }

  const char* format_ = nullptr;
  const char* what_ = nullptr;
  uint64_t value_ = 0;
  uint64_t limit_ = 0;
};

void check(Rules& rules, const Counts& counts, const ModuleRecord& module, uint64_t) {
  rules.exists("string", module.path, counts.strings);
  rules.exists("string", module.build_id, counts.strings);
}

void check(Rules& rules, const Counts& counts, const ThreadRecord& thread, uint64_t index) {
  rules.hold(index == 0 || thread.parent < index, "its parent does not come before it: thread",
             thread.parent);
  rules.hold(index == 0 || thread.ordinal > 0, "it is child number", thread.ordinal);
  rules.exists("site", thread.create_site, counts.sites);
  rules.exists("context", thread.create_context, counts.contexts);
  rules.exists("string", thread.name, counts.strings);
}

void check(Rules& rules, const Counts& counts, const SiteRecord& site, uint64_t index) {
  if (index != 0) {
    rules.exists("module", site.module, counts.modules);
  }
}

void check(Rules& rules, const Counts& counts, const ContextRecord& context, uint64_t index) {
  rules.hold(index == 0 || context.parent < index, "its parent does not come before it: context",
             context.parent);
  rules.exists("site", context.call_site, counts.sites);
}

void check(Rules& rules, const Counts& counts, const ObjectRecord& object, uint64_t index) {
  switch (object.kind) {
    case ObjectKind::kGlobal:
      rules.exists("module", object.owner, counts.modules);
      break;
    case ObjectKind::kStack:
    case ObjectKind::kThread:
      rules.exists("thread", object.owner, counts.threads);
      break;
    case ObjectKind::kAtomicSet:
      rules.exists("string", object.owner, counts.strings);
      rules.hold(object.identity < index, "its memory does not come before it: object", object.identity);
      break;
    case ObjectKind::kNone:
    case ObjectKind::kHeap:
    case ObjectKind::kMapping:
    case ObjectKind::kUnknown:
    case ObjectKind::kDescriptor:
      break;
    default:
      rules.hold(false, "unknown object kind", static_cast<uint64_t>(object.kind));
  }
  rules.exists("site", object.site, counts.sites);
  rules.exists("context", object.context, counts.contexts);
}

void check(Rules& rules, const Counts& counts, const StepRecord& step, uint64_t) {
  rules.exists("thread", step.thread, counts.threads);
  rules.known("step kind", static_cast<uint32_t>(step.kind), static_cast<uint32_t>(StepKind::kCount));
}

void check(Rules& rules, const Counts&, const PointRecord& point, uint64_t) {
  rules.known("point kind", static_cast<uint32_t>(point.kind),
              static_cast<uint32_t>(PointKind::kUnknown) + 1);
  rules.known("point grade", static_cast<uint32_t>(point.grade),
              static_cast<uint32_t>(PointGrade::kHandedOver) + 1);
}

void check(Rules& rules, const Counts& counts, const CoverageRecord& covered, uint64_t) {
  rules.exists("thread", covered.thread, counts.threads);
  rules.exists("site", covered.site, counts.sites);
}

void check(Rules& rules, const Counts& counts, const BlockedRecord& blocked, uint64_t) {
  rules.exists("thread", blocked.thread, counts.threads);
  rules.known("kind of wait", static_cast<uint32_t>(blocked.wait),
              static_cast<uint32_t>(WaitKind::kChild) + 1);
  rules.exists("object", blocked.object, counts.objects);
  for (const uint32_t site : {blocked.site, blocked.holder_site, blocked.early_site}) {
    rules.exists("site", site, counts.sites);
  }
  for (const uint32_t context : {blocked.context, blocked.holder_context, blocked.early_context}) {
    rules.exists("context", context, counts.contexts);
  }
  rules.exists("holder", blocked.holder, counts.threads + 1);
  rules.exists("notifier", blocked.early_notifier, counts.threads + 1);
  if (blocked.early_event != 0) {
    rules.exists("event", blocked.early_event, counts.events);
  }
}

void check(Rules& rules, const Counts& counts, const ChoiceRecord& choice, uint64_t) {
  rules.exists("thread", choice.thread, counts.threads);
  rules.known("step kind", static_cast<uint32_t>(choice.kind), static_cast<uint32_t>(StepKind::kCount));
  rules.hold(
      choice.alternatives < 2 || (choice.first_alternative <= counts.alternatives &&
                                  choice.alternatives <= counts.alternatives - choice.first_alternative),
      "alternatives that do not exist, from number", choice.first_alternative);
}

void check(Rules& rules, const Counts& counts, const AlternativeRecord& alternative, uint64_t) {
  rules.exists("thread", alternative.thread, counts.threads);
  rules.known("step kind", static_cast<uint32_t>(alternative.kind), static_cast<uint32_t>(StepKind::kCount));
}

void check(Rules& rules, const Counts& counts, const RaceRecord& race, uint64_t) {
  rules.exists("object", race.object, counts.objects);
  for (const RaceAccess& access : {race.first, race.second}) {
    rules.exists("thread", access.thread, counts.threads);
    rules.exists("site", access.site, counts.sites);
    rules.exists("context", access.context, counts.contexts);
    rules.known("event kind", static_cast<uint32_t>(access.kind), static_cast<uint32_t>(EventKind::kCount));
  }
}

void check(Rules& rules, const Counts& counts, const EventRecord& event, uint64_t) {
  rules.exists("thread", event.thread, counts.threads);
  rules.exists("site", event.site, counts.sites);
  rules.exists("context", event.context, counts.contexts);
  rules.exists("object", event.object, counts.objects);
  switch (event.kind) {
    case EventKind::kFork:
    case EventKind::kJoin:
      rules.exists("thread", event.peer, counts.threads);
      break;
    case EventKind::kCondWake:
    case EventKind::kFutexAwake:
      rules.exists("waking thread", event.peer, counts.threads + 1);
      break;
    case EventKind::kAtomicRead:
    case EventKind::kAtomicWrite:
    case EventKind::kAtomicUpdate:
    case EventKind::kFence:
      rules.known("memory order", unsigned{event.order}, static_cast<unsigned>(MemoryOrder::kSeqCst) + 1);
      break;
    default:
      rules.hold(event.kind != EventKind::kNone && event.kind < EventKind::kCount, "unknown event kind",
                 static_cast<uint64_t>(event.kind));
  }
}

template <TableId id>
std::optional<Damage> check_records(std::span<const RecordOf<id>> records, uint64_t first,
                                    const Counts& counts) {
  uint64_t index = first;
  for (const auto& record : records) {
    Rules rules;
    check(rules, counts, record, index);
    if (!rules.ok()) {
      return Damage{id, index, rules.text()};
    }
    ++index;
  }
  return std::nullopt;
}

template <TableId id>
std::optional<Damage> check_table(const Trace& trace, const Counts& counts) {
  return check_records<id>(trace.table<id>(), 0, counts);
}

// A terminated first and last string make every offset a terminated string, and offset 0 the empty one.
template <>
std::optional<Damage> check_table<TableId::kStrings>(const Trace& trace, const Counts&) {
  const std::span<const char> strings = trace.strings();
  if (!strings.empty() && strings.front() != '\0') {
    return Damage{TableId::kStrings, 0, "the table does not begin with the empty string"};
  }
  if (!strings.empty() && strings.back() != '\0') {
    return Damage{TableId::kStrings, strings.size() - 1, "the last string is not terminated"};
  }
  return std::nullopt;
}

// Children of one parent are numbered upwards, so no two threads share a name.
std::optional<Damage> check_thread_names(const Trace& trace) {
  const std::span<const ThreadRecord> threads = trace.threads();
  std::vector<uint32_t> last_child(threads.size());
  for (size_t i = 1; i < threads.size(); ++i) {
    uint32_t& last = last_child[threads[i].parent];
    if (threads[i].ordinal <= last) {
      return Damage{
          TableId::kThreads, i,
          fmt::format("it is child number {} of its parent, after number {}", threads[i].ordinal, last)};
    }
    last = threads[i].ordinal;
  }
  return std::nullopt;
}

std::optional<Damage> check_outcome(const Trace& trace, const Counts& counts) {
  const OutcomeRecord& outcome = trace.outcome();
  Rules rules;
  rules.known("outcome kind", outcome.kind, OutcomeKind::kCount);
  rules.exists("thread", outcome.thread, std::max<uint64_t>(1, counts.threads));
  rules.exists("site", outcome.site, counts.sites);
  rules.exists("context", outcome.context, counts.contexts);
  rules.exists("object", outcome.object, counts.objects);
  rules.hold(outcome.stack_size <= kMaxOutcomeStack, "impossible stack depth", outcome.stack_size);
  for (size_t i = 0; i < std::min<size_t>(outcome.stack_size, kMaxOutcomeStack); ++i) {
    rules.exists("site", outcome.stack[i], counts.sites);
  }
  rules.hold(trace.outcome_message().size() < kMaxOutcomeMessage, "message not terminated within",
             kMaxOutcomeMessage);
  if (!rules.ok()) {
    return Damage{TableId::kCount, 0, rules.text()};
  }
  return std::nullopt;
}

}  // namespace

std::string Damage::text() const {
  if (table == TableId::kCount) {
    return fmt::format("outcome: {}", what);
  }
  return fmt::format("record {} of table {}: {}", record, to_text(table), what);
}

std::optional<Damage> validate_tables(const Trace& trace, uint64_t events) {
  const Counts counts(trace, events);
  std::optional<Damage> damage;
#define HEDDLE_X(name, type)                            \
  if (!damage && TableId::name != TableId::kEvents) {   \
    damage = check_table<TableId::name>(trace, counts); \
  }
  HEDDLE_TABLES(HEDDLE_X)
#undef HEDDLE_X
  if (!damage) {
    damage = check_thread_names(trace);
  }
  if (!damage) {
    damage = check_outcome(trace, counts);
  }
  return damage;
}

std::optional<Damage> validate_events(const Trace& trace, std::span<const EventRecord> events,
                                      uint64_t first) {
  return check_records<TableId::kEvents>(events, first, Counts(trace, 0));
}

std::optional<Damage> validate_extents(const Trace& trace, std::span<const EventRecord> events,
                                       uint64_t first) {
  const std::span<const ObjectRecord> objects = trace.objects();
  uint64_t index = first;
  for (const EventRecord& event : events) {
    const bool is_access = has_extent(event.kind) && event.kind != EventKind::kFree;
    if (is_access && event.object < objects.size() && objects[event.object].kind == ObjectKind::kHeap) {
      const uint64_t size = objects[event.object].size;
      const uint64_t end = std::min(size, UINT64_MAX - kMaxOverrun) + kMaxOverrun;
      if (size != 0 && (event.offset > end || event.size > end - event.offset)) {
        return Damage{TableId::kEvents, index,
                      fmt::format("an access to {} bytes at offset {} of object {}, which has {}", event.size,
                                  event.offset, event.object, size)};
      }
    }
    ++index;
  }
  return std::nullopt;
}

std::optional<Damage> validate(const Trace& trace) {
  if (auto damage = validate_tables(trace, trace.events().size())) {
    return damage;
  }
  return validate_events(trace, trace.events(), 0);
}

}  // namespace heddle::trace
