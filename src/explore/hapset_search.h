// HapSetSearch: executes the interleavings that show something new (strategy `hapset`).
//
// Systematic search after Flanagan and Godefroid (POPL 2005), guided by HaPSets (Wang, Said and Gupta, ICSE
// 2011, algorithms 4 and 5): for each step the search looks back for the latest one with which it could
// change places, and passes over those of which it is known already that their statements can come in the
// other order. Every execution that does not fail adds to what is known. So the search ends after few
// executions; it may miss failures, and never claims to be complete.
#pragma once

#include "explore/causal_order.h"
#include "explore/hapset_learning.h"
#include "explore/lifetime_order.h"
#include "explore/strategy.h"

namespace heddle {

class HapSetSearch final : public Strategy {
 public:
  struct Options {
    uint64_t learning_runs = 0;  // under random schedules, before the search begins
    uint64_t seed = 0;
    // Try all threads where something new can be seen, but with at most so many preemptions, rather than the
    // one that is needed.
    std::optional<uint32_t> preemptions;
  };

  // `sets`: what is known from earlier searches.
  explicit HapSetSearch(Options options, HapSet sets = {})
      : options_(options), known_(std::move(sets)), sets_(known_) {}

  Detail detail() const override { return Detail::kOperations; }
  std::optional<Plan> next() override;
  void learn(const Observation& seen) override;
  void overhear(const Observation& seen) override;
  void begin_again() override;
  Claim claim() const override;

  const HapSet* sets() const override { return &sets_; }
  uint64_t coverage() const override { return sets_.size(); }
  uint64_t pruned() const override { return pruned_; }

 private:
  struct Node {
    Choice chosen;
    std::vector<Choice> alternatives;
    std::vector<Choice> done;
    std::vector<Choice> backtrack;  // to be tried, or done
    uint32_t preemptions = 0;       // before this step
  };
  // Those that a thread holds, as objects and offsets, without the shared ones.
  using Locks = std::vector<std::pair<uint64_t, uint64_t>>;
  // The latest steps that did the same to the same part of an object.
  struct Use {
    Effect effect;
    uint32_t thread = 0;
    uint32_t step = 0;
    Locks held;
  };

  void grow_path(const Observation& seen);
  void update_backtracks(const Observation& seen);
  void look_back(uint32_t step, const Effect& effect);
  bool could_go_on(uint32_t at, uint32_t step) const;
  bool may_be_next_both(const Use& use, uint32_t thread) const;
  void note_lock(uint32_t thread, const Effect& effect);
  void add_backtracks(uint32_t at, uint32_t step);
  void add_backtrack(uint32_t at, const Choice& choice);
  void try_timeouts(const Observation& seen, uint32_t step);
  void try_waiters(const Observation& seen, uint32_t step);
  void go_on_behind_end(const Observation& seen);
  void remember(uint32_t step, const Effect& effect);
  uint32_t preemptions_with(uint32_t at, const Choice& choice) const;

  const Options options_;
  const HapSet known_;  // before the search
  HapSet sets_;
  std::vector<Node> path_;
  size_t kept_ = 0;  // steps of the path that the last plan repeats
  CausalOrder order_;
  LifetimeOrder lifetimes_;
  std::unordered_map<uint64_t, std::map<uint64_t, std::vector<Use>>> uses_;  // by object and beginning
  std::unordered_map<uint64_t, uint64_t> longest_;                           // by object: use in bytes
  std::vector<Locks> held_;                                                  // by thread
  std::set<uint32_t> ended_;     // threads that have been seen to end
  std::vector<uint64_t> waits_;  // by thread: the statement of its last wait
  uint64_t learned_runs_ = 0;
  uint64_t executed_ = 0;
  uint64_t pruned_ = 0;
  bool started_ = false;
};

}  // namespace heddle
