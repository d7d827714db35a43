#include "predict/deadlock_prediction.h"

#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

#include "predict/ideal.h"
#include "predict/lock_cycles.h"
#include "trace/variable_key.h"

namespace heddle {
namespace {

// For each cycle of nodes, looks for acquisitions, one of each node, such that the ideal of what comes before
// them contains none of them. Ideals only grow when any of the acquisitions is replaced by a later one of its
// node. So an acquisition that is in the ideal can be given up for good, and each cycle takes one walk over
// the acquisitions of its nodes.
//
// The ideal of what comes before each acquisition alone is computed beforehand, once. The ideal of several is
// at least the union of theirs, which rejects most combinations; and it is made from the union
// (Ideal::assign).
class DeadlockSearch {
 public:
  DeadlockSearch(const TraceModel& model, const DeadlockOptions& options)
      : model_(model), options_(options), width_(model.thread_count()) {}

  Predictions run();

 private:
  // The acquisitions of one node, and for each the ideal of what comes before it.
  struct Instances {
    std::vector<EventIndex> events;
    std::vector<uint32_t> cuts;  // `width_` numbers each
  };

  void compute_instances(const LockCycles& lock_cycles);
  void check(const LockCycles::Cycle& cycle, Ideal* ideal);
  bool pass_over_contained(const LockCycles::Cycle& cycle, const std::vector<uint32_t>& cut, bool* passed);
  void report(const LockCycles::Cycle& cycle, const Ideal& ideal);

  const TraceModel& model_;
  const DeadlockOptions& options_;
  const uint32_t width_;
  std::vector<Instances> instances_;  // by node
  std::vector<size_t> at_;            // by position in the cycle: the instance that is looked at
  std::vector<uint32_t> joined_;
  std::map<std::vector<uint32_t>, std::set<uint64_t>> known_;  // by sites: the locks
  Predictions result_;
};

Predictions DeadlockSearch::run() {
  if (width_ > kMaxThreads) {
    result_.left_out = fmt::format("the trace has {} threads, and deadlocks are predicted for up to {}",
                                   width_, kMaxThreads);
    return std::move(result_);
  }
  const LockCycles lock_cycles(model_, options_);
  if (lock_cycles.incomplete_from() != 0)
    result_.left_out = fmt::format(
        "there are very many cycles of locks; those of {} and more threads were not all looked at",
        lock_cycles.incomplete_from());
  result_.explored = lock_cycles.cycles().size();
  if (lock_cycles.cycles().empty()) return std::move(result_);
  compute_instances(lock_cycles);
  Ideal ideal(model_);
  for (const LockCycles::Cycle& cycle : lock_cycles.cycles()) {
    check(cycle, &ideal);
    if (result_.found.size() < options_.max_deadlocks) continue;
    result_.left_out = fmt::format("the search ended after {} deadlocks", result_.found.size());
    break;
  }
  result_.work += ideal.work();
  return std::move(result_);
}

void DeadlockSearch::compute_instances(const LockCycles& lock_cycles) {
  instances_.resize(lock_cycles.nodes().size());
  std::vector<bool> in_cycle(instances_.size());
  for (const LockCycles::Cycle& cycle : lock_cycles.cycles()) {
    for (const uint32_t node : cycle) in_cycle[node] = true;
  }
  // By thread: its acquisitions that matter, in its order.
  std::vector<std::vector<std::pair<EventIndex, uint32_t>>> wanted(width_);
  for (uint32_t node = 0; node < instances_.size(); ++node) {
    if (!in_cycle[node]) continue;
    for (const EventIndex event : lock_cycles.nodes()[node].events)
      wanted[lock_cycles.nodes()[node].thread].emplace_back(event, node);
  }
  for (auto& events : wanted) {
    if (events.empty()) continue;
    std::sort(events.begin(), events.end());
    Ideal past(model_);
    for (const auto& [event, node] : events) {
      past.add_before(event);
      if (!past.feasible()) break;
      if (result_.memory_bytes >= options_.max_memory_bytes) {
        result_.left_out = fmt::format("there was no memory for all acquisitions: {} MB were allowed",
                                       options_.max_memory_bytes >> 20);
        break;
      }
      Instances& own = instances_[node];
      own.events.push_back(event);
      own.cuts.insert(own.cuts.end(), past.cut().begin(), past.cut().end());
      result_.memory_bytes += (width_ + 1) * sizeof(uint32_t);
    }
    result_.work += past.work();
  }
}

void DeadlockSearch::check(const LockCycles::Cycle& cycle, Ideal* ideal) {
  at_.assign(cycle.size(), 0);
  for (const uint32_t node : cycle) {
    if (instances_[node].events.empty()) return;
  }
  for (;;) {
    joined_.assign(width_, 0);
    for (size_t i = 0; i < cycle.size(); ++i) {
      const uint32_t* cut = &instances_[cycle[i]].cuts[at_[i] * width_];
      for (uint32_t thread = 0; thread < width_; ++thread)
        joined_[thread] = std::max(joined_[thread], cut[thread]);
    }
    bool passed = false;
    if (!pass_over_contained(cycle, joined_, &passed)) return;
    if (passed) continue;
    ideal->assign(joined_);
    // A section that never ends and is in the way stays so with later acquisitions.
    if (!ideal->feasible() || !pass_over_contained(cycle, ideal->cut(), &passed)) return;
    if (!passed) return report(cycle, *ideal);
  }
}

// Goes on to acquisitions that are not in the cut. False if there are none.
bool DeadlockSearch::pass_over_contained(const LockCycles::Cycle& cycle, const std::vector<uint32_t>& cut,
                                         bool* passed) {
  for (size_t i = 0; i < cycle.size(); ++i) {
    const std::vector<EventIndex>& events = instances_[cycle[i]].events;
    while (model_.number_of(events[at_[i]]) < cut[model_.thread_of(events[at_[i]])]) {
      *passed = true;
      if (++at_[i] == events.size()) return false;
    }
  }
  return true;
}

void DeadlockSearch::report(const LockCycles::Cycle& cycle, const Ideal& ideal) {
  Prediction deadlock;
  deadlock.kind = PredictionKind::kDeadlock;
  std::vector<uint32_t> sites;
  uint64_t locks = 0;  // in whatever order
  for (size_t i = 0; i < cycle.size(); ++i) {
    const EventIndex event = instances_[cycle[i]].events[at_[i]];
    deadlock.events.push_back(event);
    sites.push_back(model_.site_of(event));
    const trace::EventRecord& record = model_.trace().events()[event];
    locks += trace::variable_key(model_.trace().objects(), record.object, record.offset);
  }
  std::sort(sites.begin(), sites.end());
  std::set<uint64_t>& known = known_[std::move(sites)];
  if (known.size() == trace::kMostVariablesAtSites || !known.insert(locks).second) return;
  deadlock.witness.cut = ideal.cut();
  result_.found.push_back(std::move(deadlock));
}

}  // namespace

Predictions predict_deadlocks(const TraceModel& model, const DeadlockOptions& options) {
  return DeadlockSearch(model, options).run();
}

bool is_sync_preserving_deadlock(const TraceModel& model, const std::vector<EventIndex>& acquisitions,
                                 Witness* witness) {
  const size_t count = acquisitions.size();
  for (size_t i = 0; i < count; ++i) {
    const EventIndex event = acquisitions[i];
    const EventIndex next = acquisitions[(i + 1) % count];
    const bool shared = model.class_of(event) == EventClass::kSharedAcquire;
    if (!can_wait(model, event) ||
        !LockCycles::waits_for(model, model.lock_of(event), shared, model.lockset_at(next)))
      return false;
    for (size_t j = 0; j < i; ++j) {
      if (model.thread_of(acquisitions[j]) == model.thread_of(event) ||
          model.locksets_exclude(model.lockset_at(acquisitions[j]), model.lockset_at(event)))
        return false;
    }
  }
  Ideal ideal(model);
  for (const EventIndex event : acquisitions) ideal.add_before(event);
  const bool reached = std::any_of(acquisitions.begin(), acquisitions.end(),
                                   [&](EventIndex event) { return ideal.contains(event); });
  if (count < 2 || reached || !ideal.feasible()) return false;
  if (witness != nullptr) *witness = {ideal.cut(), {}};
  return true;
}

}  // namespace heddle
