#include "brute_force.h"

#include <algorithm>

#include "detect/order_rules.h"
#include "random_events.h"

namespace heddle::detect {
namespace {

using trace::EventKind;
using trace::EventRecord;
using trace::MemoryOrder;

bool is_access(const EventRecord& event) {
  return event.kind >= EventKind::kRead && event.kind <= EventKind::kAtomicUpdate;
}
bool is_atomic(const EventRecord& event) {
  return event.kind >= EventKind::kAtomicRead && event.kind <= EventKind::kAtomicUpdate;
}
bool failed(const EventRecord& event) {
  return (event.flags & trace::event_flag::kFailed) != 0;
}
bool writes(const EventRecord& event) {
  return event.kind == EventKind::kWrite || event.kind == EventKind::kAtomicWrite ||
         (event.kind == EventKind::kAtomicUpdate && !failed(event));
}
bool reads_under(const EventRecord& event) {
  return event.kind == EventKind::kReadLock || event.kind == EventKind::kTryReadLock;
}
bool takes_lock(const EventRecord& event) {
  const bool takes =
      event.kind == EventKind::kLock || event.kind == EventKind::kTryLock || reads_under(event);
  return takes && !failed(event);
}
bool reads(const EventRecord& event) {
  return is_access(event) && event.kind != EventKind::kWrite && event.kind != EventKind::kAtomicWrite;
}
bool same_place(const EventRecord& a, const EventRecord& b) {
  return a.object == b.object && a.offset == b.offset;
}
constexpr size_t kNone = ~size_t{0};
MemoryOrder order_of(const EventRecord& event) {
  return static_cast<MemoryOrder>(event.order);
}

}  // namespace

BruteForce::BruteForce(const trace::Trace& trace, Relation relation)
    : events_(trace.events()),
      before_(events_.size(), std::vector<bool>(events_.size())),
      previous_(events_.size(), -1) {
  add_edges(relation);
  add_barriers();
  add_wakes();
  add_release_sequences();
  if (relation.reads_from) add_reads_from();
  close();
}

void BruteForce::add_edges(const Relation& relation) {
  using enum EventKind;
  for (size_t b = 0; b < events_.size(); ++b) {
    for (size_t a = 0; a < b; ++a) {
      const EventRecord& x = events_[a];
      const EventRecord& y = events_[b];
      const bool forked = x.kind == kFork && x.peer == y.thread;
      if (x.thread == y.thread || forked) previous_[b] = static_cast<int>(a);
      bool edge = x.thread == y.thread || forked || (y.kind == kJoin && y.peer == x.thread);
      if (same_place(x, y)) {
        edge |= x.kind == kSemPost && (y.kind == kSemWait || y.kind == kSemTryWait) && !failed(y);
        edge |= x.kind == kOnceEnd && (y.kind == kOnceBegin || y.kind == kOncePassed);
        edge |= relation.locks && x.kind == kUnlock && takes_lock(y);
        edge |= relation.locks && x.kind == kReadUnlock && takes_lock(y) && !reads_under(y);
      }
      if (edge) before_[a][b] = true;
    }
  }
}

// Every kBarrierThreads arrivals in a row are a phase. Arrivals are ordered, and all of a phase are before
// those who leave it.
void BruteForce::add_barriers() {
  for (size_t b = 0; b < events_.size(); ++b) {
    const bool leaves = events_[b].kind == EventKind::kBarrierLeave;
    if (!leaves && events_[b].kind != EventKind::kBarrierArrive) continue;
    std::vector<size_t> arrivals;
    size_t own = 0;
    for (size_t a = 0; a < b; ++a) {
      if (events_[a].kind != EventKind::kBarrierArrive || !same_place(events_[a], events_[b])) continue;
      if (events_[a].thread == events_[b].thread) own = arrivals.size();
      arrivals.push_back(a);
    }
    const size_t known = leaves ? (own / kBarrierThreads + 1) * kBarrierThreads : arrivals.size();
    for (size_t i = 0; i < known; ++i) before_[arrivals[i]][b] = true;
  }
}

// From the last wake-up of the one who is named.
void BruteForce::add_wakes() {
  for (size_t b = 0; b < events_.size(); ++b) {
    if (events_[b].kind != EventKind::kFutexAwake) continue;
    for (size_t a = b; a-- > 0;) {
      const EventRecord& wake = events_[a];
      if (wake.kind != EventKind::kFutexWake || !same_place(wake, events_[b])) continue;
      if (wake.thread + 1 != events_[b].peer) continue;
      before_[a][b] = true;
      break;
    }
  }
}

// From a releasing write to every acquiring read of its value, or of that of updates in a row after it. A
// relaxed write releases by the release fence before it, a relaxed read acquires by the acquire fence after
// it.
void BruteForce::add_release_sequences() {
  for (size_t a = 0; a < events_.size(); ++a) {
    if (!is_atomic(events_[a]) || !writes(events_[a])) continue;
    size_t source = a;
    if (!releases(order_of(events_[a])))
      while (source != kNone && !(is_fence_of(a, source) && releases(order_of(events_[source])))) --source;
    if (source == kNone) continue;
    for (size_t b = a + 1; b < events_.size(); ++b) {
      const EventRecord& later = events_[b];
      if (!is_atomic(later) || !same_place(events_[a], later)) continue;
      if (reads(later)) {
        size_t sink = b;
        if (!acquires(order_of(later)))
          while (sink < events_.size() && !(is_fence_of(b, sink) && acquires(order_of(events_[sink]))))
            ++sink;
        if (sink < events_.size()) before_[source][sink] = true;
      }
      if (later.kind == EventKind::kAtomicWrite) break;
    }
  }
}

// Whether event `fence` is a fence of the thread of `event`.
bool BruteForce::is_fence_of(size_t event, size_t fence) const {
  return events_[fence].kind == EventKind::kFence && events_[fence].thread == events_[event].thread;
}

void BruteForce::add_reads_from() {
  for (size_t b = 0; b < events_.size(); ++b) {
    if (!reads(events_[b])) continue;
    for (uint64_t byte = events_[b].offset; byte < events_[b].offset + events_[b].size; ++byte) {
      for (size_t a = b; a-- > 0;) {
        const EventRecord& x = events_[a];
        if (!is_access(x) || !writes(x) || x.object != events_[b].object) continue;
        if (byte < x.offset || byte >= x.offset + x.size) continue;
        before_[a][b] = true;
        break;
      }
    }
  }
}

void BruteForce::close() {
  for (size_t via = 0; via < events_.size(); ++via)
    for (size_t a = 0; a < via; ++a)
      if (before_[a][via])
        for (size_t b = via + 1; b < events_.size(); ++b)
          if (before_[via][b]) before_[a][b] = true;
}

bool BruteForce::ordered_before(size_t a, size_t b) const {
  const int previous = previous_[b];
  if (previous < 0) return false;
  return a == static_cast<size_t>(previous) || before_[a][static_cast<size_t>(previous)];
}

bool BruteForce::conflict(const EventRecord& a, const EventRecord& b) {
  return is_access(a) && is_access(b) && a.thread != b.thread && a.object == b.object &&
         a.offset < b.offset + b.size && b.offset < a.offset + a.size && (writes(a) || writes(b)) &&
         !(is_atomic(a) && is_atomic(b));
}

std::set<std::pair<uint64_t, uint64_t>> BruteForce::races() const {
  std::set<std::pair<uint64_t, uint64_t>> found;
  for (size_t b = 0; b < events_.size(); ++b)
    for (size_t a = 0; a < b; ++a)
      if (conflict(events_[a], events_[b]) && !ordered_before(a, b)) found.emplace(a, b);
  return found;
}

std::vector<BruteForce::Held> BruteForce::held_at(size_t event) const {
  std::vector<Held> held;
  for (size_t i = 0; i < event; ++i) {
    const EventRecord& past = events_[i];
    if (past.thread != events_[event].thread) continue;
    if (takes_lock(past)) held.push_back({past.offset, reads_under(past)});
    if (past.kind == EventKind::kUnlock || past.kind == EventKind::kReadUnlock)
      std::erase_if(held, [&](const Held& lock) { return lock.offset == past.offset; });
  }
  return held;
}

namespace {

template <typename Locks>
bool keep_apart(const Locks& a, const Locks& b) {
  for (const auto& x : a)
    for (const auto& y : b)
      if (x.offset == y.offset && !(x.reading && y.reading)) return true;
  return false;
}

}  // namespace

std::set<std::pair<uint64_t, uint64_t>> BruteForce::races_without_common_lock() const {
  std::set<std::pair<uint64_t, uint64_t>> found;
  for (const auto& [a, b] : races())
    if (!keep_apart(held_at(a), held_at(b))) found.emplace(a, b);
  return found;
}

bool BruteForce::has_cycle(size_t longest) const {
  for (size_t i = 0; i < events_.size(); ++i) {
    if (events_[i].kind != EventKind::kLock && events_[i].kind != EventKind::kReadLock) continue;
    std::vector<size_t> chain{i};
    if (extend_cycle(chain, longest)) return true;
  }
  return false;
}

// Whether the chain of acquisitions, each waiting for the next, can be made a ring.
bool BruteForce::extend_cycle(std::vector<size_t>& chain, size_t longest) const {
  const EventRecord& last = events_[chain.back()];
  const auto waits_for = [&](size_t holder) {
    for (const Held& lock : held_at(holder))
      if (lock.offset == last.offset && !(lock.reading && last.kind == EventKind::kReadLock)) return true;
    return false;
  };
  if (chain.size() > 1 && waits_for(chain.front())) return true;
  if (chain.size() == longest) return false;
  for (size_t next = 0; next < events_.size(); ++next) {
    const EventRecord& event = events_[next];
    if (event.kind != EventKind::kLock && event.kind != EventKind::kReadLock) continue;
    const bool fits = std::ranges::all_of(chain, [&](size_t other) {
      return events_[other].thread != event.thread && !before_[other][next] && !before_[next][other] &&
             !keep_apart(held_at(other), held_at(next));
    });
    if (!fits || !waits_for(next)) continue;
    chain.push_back(next);
    if (extend_cycle(chain, longest)) return true;
    chain.pop_back();
  }
  return false;
}

}  // namespace heddle::detect
