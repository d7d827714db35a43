#include "predict/lock_cycles.h"

#include <algorithm>

#include "predict/index_table.h"
#include "support/rings.h"

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

// What RingSearch asks about nodes.
class LockCycles::Graph {
 public:
  explicit Graph(const LockCycles& cycles) : cycles_(cycles) {}

  uint32_t thread_of(uint32_t node) const { return at(node).thread; }
  // With the smallest thread of those in focus.
  bool begins(uint32_t first, uint32_t other) const {
    return !at(other).in_focus || at(first).thread < at(other).thread;
  }
  const std::vector<uint32_t>& in_the_way_of(uint32_t node) const { return cycles_.holders_[at(node).lock]; }
  bool waits_for(uint32_t node, uint32_t holder) const {
    return LockCycles::waits_for(cycles_.model_, at(node).lock, at(node).shared, at(holder).lockset);
  }
  bool fit(uint32_t one, uint32_t other) const {
    return !cycles_.model_.locksets_exclude(at(one).lockset, at(other).lockset);
  }

 private:
  const Node& at(uint32_t node) const { return cycles_.nodes_[node]; }
  const LockCycles& cycles_;
};

LockCycles::LockCycles(const TraceModel& model, const DeadlockOptions& options)
    : model_(model), options_(options) {
  collect_nodes();
  drop_ordered_nodes();
  holders_.resize(model_.lock_count());
  for (uint32_t node = 0; node < nodes_.size(); ++node) {
    for (const HeldLock& held : model_.lockset(nodes_[node].lockset)) holders_[held.lock].push_back(node);
  }
  find_cycles();
}

void LockCycles::find_cycles() {
  const Graph graph(*this);
  RingSearch<Graph> search(graph, options_.max_steps);
  const auto on_ring = [&](const Cycle& cycle) {
    if (cycles_.size() == options_.max_cycles) return false;
    cycles_.push_back(cycle);
    return true;
  };
  const uint32_t longest = std::min(options_.max_threads, model_.thread_count());
  for (uint32_t length = 2; length <= longest; ++length) {
    for (uint32_t start = 0; start < nodes_.size(); ++start) {
      if (!nodes_[start].in_focus || search.find(start, length, on_ring)) continue;
      incomplete_from_ = length;
      return;
    }
  }
}

void LockCycles::collect_nodes() {
  IndexTable places;   // (thread; lock, mode and focus)
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
      const bool in_focus = options_.focus.includes(link.acquire());
      const uint32_t place = places.number(thread, uint64_t{link.lock} * 4 + shared * 2 + in_focus);
      const uint32_t number = numbers.number(place, lockset);
      if (number == nodes_.size()) nodes_.push_back({thread, link.lock, shared, lockset, in_focus, {}});
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

std::vector<uint32_t> LockCycles::components() const {
  std::vector<std::vector<uint32_t>> next(model_.lock_count());  // by lock: those acquired while holding it
  for (const Node& node : nodes_) {
    for (const HeldLock& held : model_.lockset(node.lockset)) next[held.lock].push_back(node.lock);
  }
  for (std::vector<uint32_t>& locks : next) {
    std::sort(locks.begin(), locks.end());
    locks.erase(std::unique(locks.begin(), locks.end()), locks.end());
  }
  return strong_components(next);
}

}  // namespace heddle
