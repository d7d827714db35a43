#include "predict/lock_cycles.h"

#include <algorithm>

#include "predict/index_table.h"

namespace heddle {

bool can_wait(const TraceModel& model, EventIndex acquisition) {
  if (!model.is_acquire(acquisition)) return false;
  const trace::EventRecord& event = model.trace().events()[acquisition];
  return (event.kind == trace::EventKind::kLock || event.kind == trace::EventKind::kReadLock) &&
         (event.flags & trace::event_flag::kTimed) == 0;
}

bool LockCycles::waits_for(const TraceModel& model, uint32_t lock, bool shared, uint32_t lockset) {
  const std::span<const HeldLock> held = model.lockset(lockset);
  return std::any_of(held.begin(), held.end(),
                     [&](const HeldLock& one) { return one.excludes({lock, shared, kNoEvent}); });
}

LockCycles::LockCycles(const TraceModel& model, const DeadlockOptions& options)
    : model_(model), options_(options) {
  collect_nodes();
  drop_ordered_nodes();
  holders_.resize(model_.lock_count());
  for (uint32_t node = 0; node < nodes_.size(); ++node) {
    for (const HeldLock& held : model_.lockset(nodes_[node].lockset)) holders_[held.lock].push_back(node);
  }
  const uint32_t longest = std::min(options_.max_threads, model_.thread_count());
  for (uint32_t length = 2; length <= longest; ++length) {
    for (uint32_t start = 0; start < nodes_.size(); ++start) {
      Cycle path{start};
      if (!extend(&path, length)) {
        incomplete_from_ = length;
        return;
      }
    }
  }
}

void LockCycles::collect_nodes() {
  IndexTable places;   // (thread, lock and mode)
  IndexTable numbers;  // (place, lockset)
  for (uint32_t thread = 0; thread < model_.thread_count(); ++thread) {
    const std::span<const TraceModel::LocksetChange> changes = model_.lockset_changes(thread);
    size_t change = 0;
    uint32_t lockset = 0;
    for (const Link& link : model_.links_of(thread)) {
      if (link.is_need()) continue;
      while (change < changes.size() && changes[change].number <= link.number)
        lockset = changes[change++].lockset;
      if (lockset == 0 || !can_wait(model_, link.acquire())) continue;
      const bool shared = model_.class_of(link.acquire()) == EventClass::kSharedAcquire;
      const uint32_t place = places.number(thread, uint64_t{link.lock} * 2 + shared);
      const uint32_t number = numbers.number(place, lockset);
      if (number == nodes_.size()) nodes_.push_back({thread, link.lock, shared, lockset, {}});
      nodes_[number].events.push_back(link.acquire());
    }
  }
}

// Most programs have an order of locks. Only within a strongly connected component of "acquired while
// holding" can there be cycles.
void LockCycles::drop_ordered_nodes() {
  const std::vector<uint32_t> component = components();
  std::erase_if(nodes_, [&](const Node& node) {
    const std::span<const HeldLock> held = model_.lockset(node.lockset);
    return std::none_of(held.begin(), held.end(), [&](const HeldLock& one) {
      return one.lock != node.lock && component[one.lock] == component[node.lock];
    });
  });
}

// Tarjan's algorithm, without recursion since there may be as many locks as memory holds.
std::vector<uint32_t> LockCycles::components() const {
  const uint32_t count = model_.lock_count();
  std::vector<std::vector<uint32_t>> next(count);  // by lock: those acquired while holding it
  for (const Node& node : nodes_) {
    for (const HeldLock& held : model_.lockset(node.lockset)) next[held.lock].push_back(node.lock);
  }
  for (std::vector<uint32_t>& locks : next) {
    std::sort(locks.begin(), locks.end());
    locks.erase(std::unique(locks.begin(), locks.end()), locks.end());
  }
  struct Frame {
    uint32_t lock = 0;
    uint32_t edge = 0;
  };
  std::vector<uint32_t> component(count, kNoLock);
  std::vector<uint32_t> order(count);  // of the first visit; 0: none yet
  std::vector<uint32_t> low(count);
  std::vector<uint32_t> open;
  std::vector<Frame> frames;
  uint32_t visited = 0;
  for (uint32_t root = 0; root < count; ++root) {
    if (order[root] != 0) continue;
    frames.push_back({root, 0});
    while (!frames.empty()) {
      const uint32_t lock = frames.back().lock;
      if (order[lock] == 0) {
        order[lock] = low[lock] = ++visited;
        open.push_back(lock);
      }
      if (frames.back().edge < next[lock].size()) {
        const uint32_t other = next[lock][frames.back().edge++];
        if (order[other] == 0)
          frames.push_back({other, 0});
        else if (component[other] == kNoLock)
          low[lock] = std::min(low[lock], order[other]);
        continue;
      }
      frames.pop_back();
      if (!frames.empty()) low[frames.back().lock] = std::min(low[frames.back().lock], low[lock]);
      if (low[lock] != order[lock]) continue;
      while (component[lock] == kNoLock) {
        component[open.back()] = lock;
        open.pop_back();
      }
    }
  }
  return component;
}

// Finds the cycles of one length that begin with `path`, whose first node has the smallest thread: so that
// each cycle is found once. False: a limit is reached.
bool LockCycles::extend(Cycle* path, uint32_t length) {
  const Node& first = nodes_[path->front()];
  const Node& last = nodes_[path->back()];
  for (const uint32_t next : holders_[last.lock]) {
    if (++steps_ > options_.max_steps) return false;
    const Node& node = nodes_[next];
    if (node.thread <= first.thread || !waits_for(model_, last.lock, last.shared, node.lockset)) continue;
    const bool fits = std::none_of(path->begin(), path->end(), [&](uint32_t other) {
      return nodes_[other].thread == node.thread ||
             model_.locksets_exclude(nodes_[other].lockset, node.lockset);
    });
    if (!fits) continue;
    path->push_back(next);
    if (path->size() < length) {
      if (!extend(path, length)) return false;
    } else if (waits_for(model_, node.lock, node.shared, first.lockset)) {
      if (cycles_.size() == options_.max_cycles) return false;
      cycles_.push_back(*path);
    }
    path->pop_back();
  }
  return true;
}

}  // namespace heddle
