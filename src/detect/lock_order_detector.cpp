#include "detect/lock_order_detector.h"

#include <algorithm>

namespace heddle::detect {

using trace::EventKind;
using trace::EventRecord;
namespace flag = trace::event_flag;

namespace {

constexpr size_t kInstances = 4;

uint32_t lock_of(uint32_t member) {
  return member / 2;
}

// The strongly connected components of a graph, by Tarjan's algorithm without recursion: a number for each
// node, equal within a component.
std::vector<uint32_t> components(const std::vector<std::vector<uint32_t>>& edges) {
  constexpr uint32_t kUnseen = 0;
  const size_t count = edges.size();
  std::vector<uint32_t> order(count, kUnseen), low(count), component(count, ~0u);
  std::vector<uint32_t> stack;
  std::vector<std::pair<uint32_t, size_t>> path;  // node, next edge
  uint32_t seen = 0, found = 0;
  for (uint32_t root = 0; root < count; ++root) {
    if (order[root] != kUnseen) continue;
    path.emplace_back(root, 0);
    while (!path.empty()) {
      auto& [node, next] = path.back();
      if (next == 0) {
        order[node] = low[node] = ++seen;
        stack.push_back(node);
      }
      if (next < edges[node].size()) {
        const uint32_t to = edges[node][next++];
        if (order[to] == kUnseen)
          path.emplace_back(to, 0);
        else if (component[to] == ~0u)
          low[node] = std::min(low[node], order[to]);
        continue;
      }
      const uint32_t done = node;
      path.pop_back();
      if (!path.empty()) low[path.back().first] = std::min(low[path.back().first], low[done]);
      if (low[done] != order[done]) continue;
      for (uint32_t member = ~0u; member != done;) {
        member = stack.back();
        stack.pop_back();
        component[member] = found;
      }
      found++;
    }
  }
  return component;
}

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
  const std::vector<uint32_t> component = components(edges);
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

// The main loop of the search: rings of two, then of three, …; each begins with its smallest thread.
void LockOrderDetector::finish(Detections& found) {
  keep_relevant();
  for (size_t length = 2; length <= kLongestCycle && steps_ < kMostSteps; ++length) {
    for (const uint32_t start : relevant_) {
      chain_.assign(1, start);
      extend(length);
    }
  }
  found.cycles = std::move(cycles_);
  found.left_out += left_out_;
  found.cycles_complete = steps_ < kMostSteps;
}

void LockOrderDetector::extend(size_t length) {
  const Dependency& first = dependencies_[chain_.front()];
  const uint32_t wanted = dependencies_[chain_.back()].wanted;
  if (chain_.size() == length) {
    if (holds_against(first, wanted)) close();
    return;
  }
  for (const uint32_t candidate : by_held_[lock_of(wanted)]) {
    if (++steps_ >= kMostSteps) return;
    const Dependency& next = dependencies_[candidate];
    if (next.thread <= first.thread || !holds_against(next, wanted)) continue;
    const bool fits = std::ranges::all_of(chain_, [&](uint32_t index) {
      const Dependency& other = dependencies_[index];
      return other.thread != next.thread && lock_of(other.wanted) != lock_of(next.wanted) &&
             !sets_.exclude(other.held, next.held);
    });
    if (!fits) continue;
    chain_.push_back(candidate);
    extend(length);
    chain_.pop_back();
  }
}

void LockOrderDetector::close() {
  std::vector<const Instance*> chosen;
  if (choose_instances(0, chosen)) report(chosen);
}

bool LockOrderDetector::choose_instances(size_t position, std::vector<const Instance*>& chosen) const {
  if (position == chain_.size()) return true;
  for (const Instance& instance : dependencies_[chain_[position]].instances) {
    const bool fits =
        std::ranges::all_of(chosen, [&](const Instance* other) { return concurrent(*other, instance); });
    if (!fits) continue;
    chosen.push_back(&instance);
    if (choose_instances(position + 1, chosen)) return true;
    chosen.pop_back();
  }
  return false;
}

void LockOrderDetector::report(const std::vector<const Instance*>& chosen) {
  LockOrderCycle cycle;
  for (size_t i = 0; i < chosen.size(); ++i) {
    // What the one before wants.
    const uint32_t lock = lock_of(dependencies_[chain_[(i + chosen.size() - 1) % chosen.size()]].wanted);
    const auto held = std::ranges::find_if(
        chosen[i]->held, [&](const HeldLocks::Held& candidate) { return candidate.lock == lock; });
    const Dependency& dependency = dependencies_[chain_[i]];
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
  for (const LockOrderCycle::Edge& edge : cycle.edges) sites.emplace_back(edge.held.site, edge.wanted.site);
  std::rotate(sites.begin(), std::ranges::min_element(sites), sites.end());
  const auto [at, is_new] = by_sites_.try_emplace(std::move(sites), cycles_.size());
  if (!is_new) {
    cycles_[at->second].count++;
  } else if (cycles_.size() < most_) {
    cycles_.push_back(std::move(cycle));
  } else {
    by_sites_.erase(at);
    left_out_++;
  }
}

uint64_t LockOrderDetector::bytes() const {
  return sets_.bytes() + held_.bytes() + order_.bytes() + dependencies_.capacity() * sizeof(Dependency) +
         index_.size() * 48 + instances_ * (sizeof(Instance) + 4 * sizeof(HeldLocks::Held));
}

}  // namespace heddle::detect
