#include "detect/lock_order_detector.h"

#include <algorithm>

#include "trace/variable_key.h"

namespace heddle::detect {

using trace::EventKind;
using trace::EventRecord;
namespace flag = trace::event_flag;

namespace {

constexpr size_t kInstances = 4;

}  // namespace

void LockOrderDetector::add(std::span<const EventRecord> events, uint64_t first) {
  for (size_t i = 0; i < events.size(); ++i) {
    const EventRecord& event = events[i];
    if (event.kind == EventKind::kRead || event.kind == EventKind::kWrite) [[likely]]
      continue;
    if (HeldLocks::concerns(event.kind)) {
      acquire(event, first + i);
      held_.add(event, first + i);
    } else {
      order_.add(event);
    }
  }
}

void LockOrderDetector::acquire(const EventRecord& event, uint64_t number) {
  const LockSets::Set held = held_.set(event.thread);
  if (held == LockSets::kEmpty || !HeldLocks::takes(event)) return;
  const bool waits = (event.kind == EventKind::kLock || event.kind == EventKind::kReadLock) &&
                     (event.flags & flag::kTimed) == 0;
  if (!waits) return;
  const uint32_t wanted = LockSets::member(held_.number(event), event.kind == EventKind::kReadLock);
  const auto [at, is_new] =
      index_.try_emplace({event.thread, wanted, held}, static_cast<uint32_t>(dependencies_.size()));
  if (is_new) dependencies_.push_back({event.thread, wanted, event.object, held, {}});
  Dependency& dependency = dependencies_[at->second];
  const ThreadOrder::Thread& self = order_.thread(event.thread);
  // Within one interval a thread may still learn, but then it is ordered after more.
  if (!dependency.instances.empty() && dependency.instances.back().epoch == self.epoch()) return;
  if (dependency.instances.size() == kInstances)
    dependency.instances.pop_back();
  else
    instances_++;
  const std::span<const HeldLocks::Held> locks = held_.held(event.thread);
  dependency.instances.push_back(
      {self.epoch(), self.known(), side_of(event, number), {locks.begin(), locks.end()}});
}

bool LockOrderDetector::concurrent(const Instance& a, const Instance& b) {
  const auto knows = [](const Instance& later, Epoch epoch) {
    return epoch.clock <= later.known[epoch.thread] ||
           (epoch.thread == later.epoch.thread && epoch.clock <= later.epoch.clock);
  };
  return !knows(a, b.epoch) && !knows(b, a.epoch);
}

// Whether it holds the lock in a way that makes the other wait.
bool LockOrderDetector::holds_against(const Dependency& holder, uint32_t wanted) const {
  const bool reading = wanted % 2 != 0;
  return std::ranges::any_of(sets_.members(holder.held), [&](uint32_t member) {
    return lock_of(member) == lock_of(wanted) && !(reading && member % 2 != 0);
  });
}

// Rings of dependencies lie within rings of locks, of which there are mostly none.
void LockOrderDetector::keep_relevant() {
  uint32_t locks = 0;
  for (const Dependency& dependency : dependencies_) {
    locks = std::max(locks, lock_of(dependency.wanted) + 1);
    for (const uint32_t member : sets_.members(dependency.held)) locks = std::max(locks, lock_of(member) + 1);
  }
  std::vector<std::vector<uint32_t>> edges(locks);
  for (const Dependency& dependency : dependencies_)
    for (const uint32_t member : sets_.members(dependency.held))
      edges[lock_of(member)].push_back(lock_of(dependency.wanted));
  for (auto& to : edges) {
    std::ranges::sort(to);
    to.erase(std::unique(to.begin(), to.end()), to.end());
  }
  const std::vector<uint32_t> component = strong_components(edges);
  by_held_.resize(locks);
  for (uint32_t i = 0; i < dependencies_.size(); ++i) {
    bool relevant = false;
    for (const uint32_t member : sets_.members(dependencies_[i].held)) {
      if (component[lock_of(member)] != component[lock_of(dependencies_[i].wanted)]) continue;
      relevant = true;
      by_held_[lock_of(member)].push_back(i);
    }
    if (relevant) relevant_.push_back(i);
  }
}

// What RingSearch asks about dependencies.
class LockOrderDetector::Graph {
 public:
  explicit Graph(LockOrderDetector& detector) : detector_(detector) {}

  uint32_t thread_of(uint32_t node) const { return at(node).thread; }
  bool begins(uint32_t first, uint32_t other) const { return at(first).thread < at(other).thread; }
  const std::vector<uint32_t>& in_the_way_of(uint32_t node) const {
    return detector_.by_held_[lock_of(at(node).wanted)];
  }
  bool waits_for(uint32_t node, uint32_t holder) const {
    return detector_.holds_against(at(holder), at(node).wanted);
  }
  bool fit(uint32_t one, uint32_t other) const {
    const Dependency& a = at(one);
    const Dependency& b = at(other);
    return lock_of(a.wanted) != lock_of(b.wanted) && !detector_.sets_.exclude(a.held, b.held) &&
           std::ranges::any_of(a.instances, [&](const Instance& instance) {
             return std::ranges::any_of(b.instances,
                                        [&](const Instance& later) { return concurrent(instance, later); });
           });
  }

 private:
  const Dependency& at(uint32_t node) const { return detector_.dependencies_[node]; }
  LockOrderDetector& detector_;
};

// The main loop of the search: rings of two, then of three, …
void LockOrderDetector::finish(Detections& found) {
  keep_relevant();
  const Graph graph(*this);
  Search search(graph, kMostSteps);
  const auto on_ring = [&](const Ring& ring) {
    std::vector<const Instance*> chosen;
    const Choice choice = choose_instances(ring, chosen, search);
    if (choice == Choice::kFound) report(ring, chosen);
    return choice != Choice::kNoSteps;
  };
  bool complete = true;
  for (size_t length = 2; length <= kLongestCycle && complete; ++length) {
    for (const uint32_t start : relevant_) {
      complete = search.find(start, length, on_ring);
      if (!complete) break;
    }
  }
  found.cycles = std::move(cycles_);
  found.left_out += left_out_;
  found.cycles_complete = complete;
}

// One instance of each dependency of the ring, such that nothing orders any two.
LockOrderDetector::Choice LockOrderDetector::choose_instances(const Ring& ring,
                                                              std::vector<const Instance*>& chosen,
                                                              Search& search) {
  if (chosen.size() == ring.size()) return Choice::kFound;
  for (const Instance& instance : dependencies_[ring[chosen.size()]].instances) {
    if (!search.step()) return Choice::kNoSteps;
    const bool fits =
        std::ranges::all_of(chosen, [&](const Instance* other) { return concurrent(*other, instance); });
    if (!fits) continue;
    chosen.push_back(&instance);
    const Choice choice = choose_instances(ring, chosen, search);
    if (choice != Choice::kNone) return choice;
    chosen.pop_back();
  }
  return Choice::kNone;
}

void LockOrderDetector::report(const Ring& ring, const std::vector<const Instance*>& chosen) {
  LockOrderCycle cycle;
  for (size_t i = 0; i < chosen.size(); ++i) {
    // What the one before wants.
    const uint32_t lock = lock_of(dependencies_[ring[(i + ring.size() - 1) % ring.size()]].wanted);
    const auto held = std::ranges::find_if(
        chosen[i]->held, [&](const HeldLocks::Held& candidate) { return candidate.lock == lock; });
    const Dependency& dependency = dependencies_[ring[i]];
    cycle.edges.push_back({.thread = dependency.thread,
                           .held = {.event = held->event,
                                    .thread = dependency.thread,
                                    .site = held->site,
                                    .context = held->context,
                                    .kind = held->kind,
                                    .offset = held->offset},
                           .held_object = held->object,
                           .wanted = chosen[i]->wanted,
                           .wanted_object = dependency.wanted_object});
  }
  Sites sites;
  uint64_t locks = 0;  // in whatever order
  for (const LockOrderCycle::Edge& edge : cycle.edges) {
    sites.emplace_back(edge.held.site, edge.wanted.site);
    locks += trace::variable_key(stream_.objects(), edge.wanted_object, edge.wanted.offset);
  }
  std::rotate(sites.begin(), std::ranges::min_element(sites), sites.end());
  std::vector<Listed>& listed = by_sites_[std::move(sites)];
  auto at = std::ranges::find(listed, locks, &Listed::locks);
  if (at == listed.end() && listed.size() == trace::kMostVariablesAtSites) at = std::prev(listed.end());
  if (at != listed.end()) {
    cycles_[at->number].count++;
  } else if (cycles_.size() < most_) {
    listed.push_back({locks, cycles_.size()});
    cycles_.push_back(std::move(cycle));
  } else {
    left_out_++;
  }
}

uint64_t LockOrderDetector::bytes() const {
  return sets_.bytes() + held_.bytes() + order_.bytes() + dependencies_.capacity() * sizeof(Dependency) +
         index_.size() * 48 + instances_ * (sizeof(Instance) + 4 * sizeof(HeldLocks::Held));
}

}  // namespace heddle::detect
