#include "predict/trace_model.h"

#include <algorithm>

#include "predict/trace_model_builder.h"
#include "support/check.h"

namespace heddle {

TraceModel::TraceModel(trace::Trace trace) : trace_(std::move(trace)) {
  TraceModelBuilder(this).build();
}

bool TraceModel::is_atomic(EventIndex event) const {
  switch (trace_.events()[event].kind) {
    case trace::EventKind::kAtomicRead:
    case trace::EventKind::kAtomicWrite:
    case trace::EventKind::kAtomicUpdate:
    case trace::EventKind::kFutexWait:
      return true;
    default:
      return false;
  }
}

bool TraceModel::continues(EventIndex event) const {
  using trace::EventKind;
  const uint32_t number = number_of(event);
  const trace::EventRecord& record = trace_.events()[event];
  const bool may = record.kind == EventKind::kUnlock || record.kind == EventKind::kLock ||
                   record.kind == EventKind::kBarrierLeave;
  if (!may || number == 0 || (record.flags & trace::event_flag::kPoint) != 0) return false;
  const trace::EventRecord& before = trace_.events()[events_of(thread_of(event))[number - 1]];
  if ((before.flags & trace::event_flag::kPoint) == 0) return false;
  return (before.kind == EventKind::kCondWait && record.kind == EventKind::kUnlock) ||
         (before.kind == EventKind::kCondWake && record.kind == EventKind::kLock) ||
         (before.kind == EventKind::kBarrierArrive && record.kind == EventKind::kBarrierLeave);
}

bool TraceModel::conflict(EventIndex a, EventIndex b) const {
  if (!is_access(a) || !is_access(b) || (!writes(a) && !writes(b)) || (is_atomic(a) && is_atomic(b)))
    return false;
  const std::span<const Part> longer = parts_of(a);
  for (const Part& other : parts_of(b)) {
    for (const Part& part : longer) {
      if (part.location == other.location && (part.bytes & other.bytes) != 0) return true;
    }
  }
  return false;
}

const Link* TraceModel::link_of_acquire(EventIndex acquire) const {
  const std::span<const Link> links = links_of(thread_of(acquire));
  auto link = std::lower_bound(links.begin(), links.end(), number_of(acquire),
                               [](const Link& at, uint32_t number) { return at.number < number; });
  while (link != links.end() && (link->is_need() || link->acquire() != acquire)) ++link;
  HEDDLE_CHECK(link != links.end());
  return &*link;
}

EventIndex TraceModel::release_of(EventIndex acquire) const {
  return link_of_acquire(acquire)->release();
}

uint32_t TraceModel::lockset_at(EventIndex event) const {
  const std::span<const LocksetChange> changes = lockset_changes(thread_of(event));
  const auto after =
      std::upper_bound(changes.begin(), changes.end(), number_of(event),
                       [](uint32_t number, const LocksetChange& change) { return number < change.number; });
  return after == changes.begin() ? 0 : std::prev(after)->lockset;
}

std::vector<HeldLock> TraceModel::held_at(EventIndex event) const {
  const uint32_t thread = thread_of(event);
  const std::span<const HeldLock> set = lockset(lockset_at(event));
  std::vector<HeldLock> held(set.begin(), set.end());
  for (HeldLock& lock : held) {
    for (const Acquisitions& own : acquisitions_of(lock.lock)) {
      if (own.thread != thread) continue;
      const std::span<const Link> links = links_of(thread);
      const auto after = std::partition_point(own.links.begin(), own.links.end(), [&](uint32_t link) {
        return links[link].number < number_of(event);
      });
      HEDDLE_CHECK(after != own.links.begin());
      lock.acquire = links[*std::prev(after)].acquire();
    }
  }
  return held;
}

bool TraceModel::locksets_exclude(uint32_t a, uint32_t b) const {
  if (a == 0 || b == 0) return false;
  const std::span<const HeldLock> first = locksets_[a];
  const std::span<const HeldLock> second = locksets_[b];
  for (auto i = first.begin(), j = second.begin(); i != first.end() && j != second.end();) {
    if (i->excludes(*j)) return true;
    if (i->lock < j->lock)
      ++i;
    else if (j->lock < i->lock)
      ++j;
    else
      ++i, ++j;
  }
  return false;
}

std::vector<EventIndex> TraceModel::needs_of(EventIndex event) const {
  const std::span<const Link> links = links_of(thread_of(event));
  std::vector<EventIndex> needs;
  for (auto link = std::lower_bound(links.begin(), links.end(), number_of(event),
                                    [](const Link& at, uint32_t number) { return at.number < number; });
       link != links.end() && link->number == number_of(event); ++link) {
    if (link->is_need() && link->needed_thread() != thread_of(event))
      needs.push_back(events_of(link->needed_thread())[link->needed_count() - 1]);
  }
  return needs;
}

uint64_t TraceModel::memory_bytes() const {
  const auto bytes = [](const auto& vector) { return vector.capacity() * sizeof(vector[0]); };
  uint64_t total = bytes(threads_) + bytes(numbers_) + bytes(classes_) + needed_.capacity() / 8 +
                   contended_.capacity() / 8 + bytes(parts_) + bytes(allocations_) + bytes(spans_) +
                   bytes(span_parts_) + bytes(by_thread_) + bytes(locks_) + bytes(locksets_);
  for (const PerThread& thread : by_thread_)
    total += bytes(thread.events) + bytes(thread.links) + bytes(thread.locksets);
  for (const Lock& lock : locks_) {
    total += bytes(lock.by_thread);
    for (const Acquisitions& own : lock.by_thread) total += bytes(own.links);
  }
  for (const std::vector<HeldLock>& set : locksets_) total += bytes(set);
  return total;
}

}  // namespace heddle
