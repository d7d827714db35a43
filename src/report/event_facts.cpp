#include "report/event_facts.h"

#include <algorithm>
#include <map>
#include <optional>
#include <unordered_map>

namespace heddle {
namespace {

using trace::EventKind;
using trace::EventRecord;
using trace::Trace;

// A failure is about what its thread looked at last, not about everything it ever shared.
constexpr size_t kAccessesBeforeTheEnd = 64;
constexpr size_t kMaxLocations = 4;

bool conflict(const EventRecord& a, const EventRecord& b) {
  return a.thread != b.thread && (is_write(a.kind) || is_write(b.kind)) && range_of(a).overlaps(range_of(b));
}

bool contains(const std::vector<LocationRange>& ranges, const LocationRange& range) {
  return std::any_of(ranges.begin(), ranges.end(), [&](const LocationRange& r) { return r.overlaps(range); });
}

std::unordered_map<uint32_t, std::vector<const EventRecord*>> accesses_by_object(const Trace& trace) {
  std::unordered_map<uint32_t, std::vector<const EventRecord*>> result;
  for (const EventRecord& event : trace.events().subspan(window_begin(trace))) {
    if (is_access(event.kind) && event.object != 0) result[event.object].push_back(&event);
  }
  return result;
}

// Goes back from the end over the accesses of `thread`, or of every thread if none is given.
std::vector<LocationRange> conflicts_before_end(const TraceSymbols& symbols, std::optional<uint32_t> thread) {
  const Trace& trace = symbols.trace();
  auto accesses = accesses_by_object(trace);
  std::vector<LocationRange> found;
  std::vector<LocationRange> seen;
  auto events = trace.events();
  size_t begin = window_begin(trace);
  size_t looked_at = 0;
  for (size_t i = events.size(); i > begin && found.size() < kMaxLocations; --i) {
    const EventRecord& event = events[i - 1];
    if (!is_access(event.kind) || event.object == 0 || (thread && event.thread != *thread)) continue;
    if (++looked_at > kAccessesBeforeTheEnd) break;
    if (contains(seen, range_of(event))) continue;
    seen.push_back(range_of(event));
    const auto& others = accesses[event.object];
    bool conflicts = std::any_of(others.begin(), others.end(),
                                 [&](const EventRecord* other) { return conflict(event, *other); });
    if (conflicts && !symbols.is_thread_state(event.object)) found.push_back(range_of(event));
  }
  return found;
}

}  // namespace

bool is_access(EventKind kind) {
  switch (kind) {
    case EventKind::kRead:
    case EventKind::kWrite:
    case EventKind::kAtomicRead:
    case EventKind::kAtomicWrite:
    case EventKind::kAtomicUpdate:
    case EventKind::kAccess:
      return true;
    default:
      return false;
  }
}

bool is_write(EventKind kind) {
  switch (kind) {
    case EventKind::kWrite:
    case EventKind::kAtomicWrite:
    case EventKind::kAtomicUpdate:
    case EventKind::kFree:
    case EventKind::kAccess:
      return true;
    default:
      return false;
  }
}

bool is_synchronisation(EventKind kind) {
  switch (kind) {
    case EventKind::kRead:
    case EventKind::kWrite:
    case EventKind::kAlloc:
    case EventKind::kFree:
    case EventKind::kThreadBegin:
    case EventKind::kThreadEnd:
    case EventKind::kOnceBegin:
    case EventKind::kOnceEnd:
    case EventKind::kOncePassed:
    case EventKind::kSyncInit:
    case EventKind::kSyncDestroy:
      return false;
    default:
      return true;
  }
}

bool is_acquire(EventKind kind) {
  switch (kind) {
    case EventKind::kLock:
    case EventKind::kReadLock:
    case EventKind::kTryLock:
    case EventKind::kTryReadLock:
      return true;
    default:
      return false;
  }
}

bool gives_way(EventKind kind) {
  switch (kind) {
    case EventKind::kCondWait:
    case EventKind::kFutexWait:
    case EventKind::kSemWait:
    case EventKind::kBarrierArrive:
    case EventKind::kJoin:
    case EventKind::kSleep:
      return true;
    default:
      return false;
  }
}

LocationRange range_of(const EventRecord& event) {
  return {event.object, event.offset, is_access(event.kind) ? std::max<uint64_t>(event.size, 1) : 1};
}

std::string_view verb(const EventRecord& event) {
  const bool by_nobody = event.peer == 0 && (event.flags & trace::event_flag::kTimedOut) == 0;
  switch (event.kind) {
    case EventKind::kRead:
      return "read";
    case EventKind::kWrite:
      return "write";
    case EventKind::kAtomicRead:
      return "load";
    case EventKind::kAtomicWrite:
      return "store";
    case EventKind::kAtomicUpdate:
      return "update";
    case EventKind::kFence:
      return "fence";
    case EventKind::kFork:
      return "start thread";
    case EventKind::kJoin:
      return "join";
    case EventKind::kThreadBegin:
      return "begin";
    case EventKind::kThreadEnd:
      return "end";
    case EventKind::kLock:
      return "lock";
    case EventKind::kUnlock:
      return "unlock";
    case EventKind::kReadLock:
      return "read lock";
    case EventKind::kReadUnlock:
      return "read unlock";
    case EventKind::kTryLock:
      return "try lock";
    case EventKind::kTryReadLock:
      return "try read lock";
    case EventKind::kCondWait:
      return "wait";
    case EventKind::kCondWake:
      return by_nobody ? "wake up spuriously" : "wake up";
    case EventKind::kNotifyOne:
      return "notify one";
    case EventKind::kNotifyAll:
      return "notify all";
    case EventKind::kSemWait:
      return "acquire";
    case EventKind::kSemTryWait:
      return "try acquire";
    case EventKind::kSemPost:
      return "release";
    case EventKind::kBarrierArrive:
      return "arrive";
    case EventKind::kBarrierLeave:
      return "pass";
    case EventKind::kOnceBegin:
      return "begin once";
    case EventKind::kOnceEnd:
      return "end once";
    case EventKind::kOncePassed:
      return "pass once";
    case EventKind::kFutexWait:
      return "wait";
    case EventKind::kFutexAwake:
      return by_nobody ? "wake up spuriously" : "wake up";
    case EventKind::kFutexWake:
      return "wake others";
    case EventKind::kAlloc:
      return (event.flags & trace::event_flag::kFailed) != 0 ? "fail to allocate" : "allocate";
    case EventKind::kFree:
      return "free";
    case EventKind::kSleep:
      return "sleep";
    case EventKind::kYield:
      return "yield";
    case EventKind::kSyncInit:
      return "initialise";
    case EventKind::kSyncDestroy:
      return "destroy";
    case EventKind::kAccess:
      return "access";
    case EventKind::kExit:
      return "exit";
    case EventKind::kSignalSend:
      return "send signal";
    case EventKind::kSignal:
      return "take signal";
    case EventKind::kAtomicSet:
      return "name atomic set";
    case EventKind::kNone:
    case EventKind::kCount:
      break;
  }
  return "step";
}

size_t window_begin(const Trace& trace) {
  size_t count = trace.events().size();
  return count > kReportWindow ? count - kReportWindow : 0;
}

std::vector<LocationRange> recent_conflicts(const TraceSymbols& symbols, uint32_t thread) {
  std::vector<LocationRange> own = conflicts_before_end(symbols, thread);
  return own.empty() ? conflicts_before_end(symbols, std::nullopt) : own;
}

}  // namespace heddle
