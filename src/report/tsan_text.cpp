#include "report/tsan_text.h"

#include <algorithm>
#include <cstdio>
#include <map>

#include <fmt/format.h>

#include "report/event_facts.h"
#include "trace/std_text.h"

namespace heddle {
namespace {

using trace::EventKind;
using trace::EventRecord;
using trace::ObjectKind;
using trace::RaceAccess;
using trace::RaceRecord;

constexpr std::string_view kRule = "==================";

std::string thread_name(uint32_t thread) {
  if (thread == 0) return "main thread";
  return fmt::format("thread T{}", thread);
}

std::string access_name(const RaceAccess& access, bool is_previous) {
  std::string name;
  switch (access.kind) {
    case EventKind::kFree:
      name = "write (free)";
      break;
    case EventKind::kAtomicRead:
      name = "atomic read";
      break;
    case EventKind::kAtomicWrite:
    case EventKind::kAtomicUpdate:
      name = "atomic write";
      break;
    case EventKind::kRead:
      name = "read";
      break;
    default:
      name = "write";
  }
  if (is_previous) return "Previous " + name;
  name.front() = static_cast<char>(std::toupper(name.front()));
  return name;
}

// Addresses of one report: those of the process, or numbers that tell locations apart.
class Addresses {
 public:
  Addresses(const RaceRecord& race, const TsanProcess& process)
      : object_(race.object),
        base_(process.address != 0 ? process.address - race.second.offset : uint64_t{race.object} << 32) {}

  std::string text(uint32_t object, uint64_t offset) const {
    return fmt::format("{:#014x}", (object == object_ ? base_ : uint64_t{object} << 32) + offset);
  }

 private:
  uint32_t object_;
  uint64_t base_;
};

std::string what_kind(const RaceRecord& race) {
  if (race.ordered != 0) return "heap-use-after-free";
  if ((race.second.flags & trace::event_flag::kVptr) != 0)
    return "data race on vptr (ctor/dtor vs virtual call)";
  const bool frees = race.first.kind == EventKind::kFree || race.second.kind == EventKind::kFree;
  return frees ? "heap-use-after-free (race)" : "data race";
}

// M0, M1 … in the order in which they are mentioned.
class MutexNames {
 public:
  std::string name(const LockAtEvent& lock) {
    const auto [entry, is_new] = numbers_.try_emplace({lock.object, lock.offset}, numbers_.size());
    if (is_new) locks_.push_back(lock);
    return fmt::format("{} M{}", lock.exclusive ? "write" : "read", entry->second);
  }
  const std::vector<LockAtEvent>& locks() const { return locks_; }

 private:
  std::map<std::pair<uint32_t, uint64_t>, size_t> numbers_;
  std::vector<LockAtEvent> locks_;
};

void append(std::vector<std::string>& lines, std::vector<std::string> more) {
  lines.insert(lines.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

void add_side(ReportContext& context, const Addresses& addresses, const RaceRecord& race,
              const RaceAccess& access, bool is_previous, MutexNames& mutexes,
              std::vector<std::string>& lines) {
  std::string held;
  if (access.event != 0) {
    for (const LockAtEvent& lock : locks_held_at(context.trace(), access.event - 1)) {
      held += fmt::format("{}{}", held.empty() ? "" : ", ", mutexes.name(lock));
    }
  }
  lines.push_back(fmt::format("  {} of size {} at {} by {}{}:", access_name(access, is_previous), access.size,
                              addresses.text(race.object, access.offset), thread_name(access.thread),
                              held.empty() ? "" : fmt::format(" (mutexes: {})", held)));
  append(lines, tsan_stack(context, access.site, access.context));
  lines.emplace_back();
}

void add_location(ReportContext& context, const Addresses& addresses, const RaceRecord& race,
                  std::vector<std::string>& lines) {
  const uint64_t offset = std::max(race.first.offset, race.second.offset);
  const std::string what = context.symbols.location_text(race.object, offset);
  if (race.object >= context.trace().objects().size()) return;
  const trace::ObjectRecord& object = context.trace().objects()[race.object];
  if (object.kind == ObjectKind::kHeap && !trace::std_object(context.trace(), race.object)) {
    lines.push_back(fmt::format("  Location is heap block of size {} at {} allocated at ({}):", object.size,
                                addresses.text(race.object, 0), what));
    append(lines, tsan_stack(context, object.site, object.context));
  } else if (object.kind == ObjectKind::kStack) {
    lines.push_back(fmt::format("  Location is stack of {}: {}.", thread_name(object.owner), what));
  } else {
    std::string name = what;
    std::replace(name.begin(), name.end(), '`', '\'');
    lines.push_back(fmt::format("  Location is global {} of size {} at {}", name,
                                std::max(race.first.size, race.second.size),
                                addresses.text(race.object, offset)));
  }
  lines.emplace_back();
}

void add_mutexes(ReportContext& context, const Addresses& addresses, const MutexNames& mutexes,
                 std::vector<std::string>& lines) {
  for (size_t i = 0; i < mutexes.locks().size(); ++i) {
    const LockAtEvent& lock = mutexes.locks()[i];
    const EventRecord& taken = context.trace().events()[lock.event];
    lines.push_back(fmt::format("  Mutex M{} ({}) is {}, taken at:", i,
                                addresses.text(lock.object, lock.offset),
                                context.symbols.location_text(lock.object, lock.offset)));
    append(lines, tsan_stack(context, taken.site, taken.context));
    lines.emplace_back();
  }
}

void add_thread(ReportContext& context, uint32_t thread, std::vector<std::string>& lines) {
  if (thread == 0 || thread >= context.trace().threads().size()) return;
  const trace::ThreadRecord& record = context.trace().threads()[thread];
  if (record.create_site == 0) return;
  const std::string_view name = context.trace().string(record.name);
  lines.push_back(fmt::format("  Thread T{}{} (tid={}, running) created by {} at:", thread,
                              name.empty() ? "" : fmt::format(" '{}'", name), thread,
                              thread_name(record.parent)));
  append(lines, tsan_stack(context, record.create_site, record.create_context));
  lines.emplace_back();
}

// What the last line says of where it was. A text trace has no files and functions, only a name for each
// site.
std::string where_in_short(ReportContext& context, const RaceAccess& access) {
  if (const std::optional<std::string_view> name = trace::std_site(context.trace(), access.site))
    return fmt::format("location {}", *name);
  const Frame& top = context.symbols.line_of_interest(access.site, access.context);
  return fmt::format("{} in {}", top.file.empty() ? top.function : context.path_line(top), top.function);
}

}  // namespace

std::vector<LockAtEvent> locks_held_at(const trace::Trace& trace, uint64_t event) {
  std::vector<LockAtEvent> held;
  if (event >= trace.events().size()) return held;
  const uint32_t thread = trace.events()[event].thread;
  for (uint64_t i = 0; i < event; ++i) {
    const EventRecord& past = trace.events()[i];
    constexpr uint16_t kNothing =
        trace::event_flag::kFailed | trace::event_flag::kTimedOut | trace::event_flag::kRecursive;
    if (past.thread != thread || (past.flags & kNothing) != 0) continue;
    const bool shared = past.kind == EventKind::kReadLock || past.kind == EventKind::kTryReadLock;
    if (is_acquire(past.kind)) {
      held.push_back({past.object, past.offset, !shared, i});
    } else if (past.kind == EventKind::kUnlock || past.kind == EventKind::kReadUnlock) {
      std::erase_if(held, [&](const LockAtEvent& lock) {
        return lock.object == past.object && lock.offset == past.offset;
      });
    }
  }
  return held;
}

std::vector<std::string> tsan_stack(const ReportContext& context, uint32_t site, uint32_t call_context) {
  const trace::Trace& trace = context.trace();
  std::vector<std::string> lines;
  const auto add_site = [&](uint32_t at) {
    if (at == 0 || at >= trace.sites().size()) return;
    const trace::SiteRecord& record = trace.sites()[at];
    std::string module;
    if (!trace::std_site(trace, at) && record.module < trace.modules().size()) {
      module = fmt::format(
          " ({})", module_offset_text(trace.string(trace.modules()[record.module].path), record.offset));
    }
    for (const StackFrame& frame : context.symbols.stack(at, 0)) {
      const Frame& where = frame.frame;
      std::string position;
      if (!where.file.empty()) {
        position = fmt::format(" {}:{}", context.path(where.file), where.line);
        if (where.column != 0) position += fmt::format(":{}", where.column);
      }
      lines.push_back(fmt::format("    #{} {}{}{}", lines.size(), where.function, position, module));
    }
  };
  add_site(site);
  while (call_context != 0 && call_context < trace.contexts().size() && lines.size() < 64) {
    add_site(trace.contexts()[call_context].call_site);
    call_context = trace.contexts()[call_context].parent;
  }
  if (lines.empty()) lines.push_back("    [failed to restore the stack]");
  return lines;
}

std::vector<std::string> tsan_report(ReportContext& context, const RaceRecord& race,
                                     const TsanProcess& process) {
  const Addresses addresses(race, process);
  std::vector<std::string> lines;
  MutexNames mutexes;
  const std::string kind = what_kind(race);
  lines.emplace_back(kRule);
  lines.push_back(fmt::format("WARNING: ThreadSanitizer: {} (pid={})", kind, process.pid));
  add_side(context, addresses, race, race.second, /*is_previous=*/false, mutexes, lines);
  add_side(context, addresses, race, race.first, /*is_previous=*/true, mutexes, lines);
  add_location(context, addresses, race, lines);
  add_mutexes(context, addresses, mutexes, lines);
  add_thread(context, race.second.thread, lines);
  if (race.first.thread != race.second.thread) add_thread(context, race.first.thread, lines);
  lines.push_back(fmt::format("SUMMARY: ThreadSanitizer: {} {}", kind, where_in_short(context, race.second)));
  lines.emplace_back(kRule);
  return lines;
}

}  // namespace heddle
