// OptimalSearch: one execution of each class of equivalent ones (strategy `dpor`).
//
// Optimal dynamic partial-order reduction after Abdulla, Aronis, Jonsson and Sagonas ("Source Sets", POPL
// 2014 and JACM 2017, algorithm 2): depth first; after each execution, for each of its races, what is needed
// to execute the race the other way round is inserted into the wakeup tree of the state before the race,
// unless something that has been explored from there covers it.
//
// How the algorithm meets real programs:
// * A lock races with the lock before it, and so do the locks at which threads were stuck at the end.
// * A step that fails, or ends the process otherwise, hides what the others would have done. So it does not
//   count as explored once one of them has gone on instead.
// * A timeout races with what ended the wait instead: it was possible until then.
// * Of the threads that a notify could wake, each one is a branch.
//
// The paper considers all races of every execution, with all that happened independently of them. Here a race
// is considered again in later executions only if that can change the answer: if what covers it is not part
// of what must come before its second step.
#pragma once

#include <optional>

#include "explore/causal_order.h"
#include "explore/strategy.h"
#include "explore/wakeup_tree.h"

namespace heddle {

class OptimalSearch final : public Strategy {
 public:
  Detail detail() const override { return Detail::kOperations; }
  std::optional<Plan> next() override;
  void learn(const Observation& seen) override;
  void begin_again() override { *this = OptimalSearch(); }
  Claim claim() const override;

 private:
  // A state of the current path, and the step taken there.
  struct Node {
    Move move;
    std::vector<Choice> alternatives;
    std::vector<Move> asleep;  // what has been explored from here, or from before in vain
    WakeupForest::Tree todo = 0;
    bool ends_process = false;  // after the step nobody could go on
  };
  // Two steps of which the second shall come before the first.
  struct Reversal {
    uint32_t first = 0;
    uint32_t second = 0;  // kNoStep: it was never executed
    bool by_timeout = false;
    Move move;   // the second step, as it is to be executed
    Clock past;  // what must come before it
  };

  void take_branch();
  void grow_path(const Observation& seen);
  void add_step(const ObservedStep& step, size_t index);
  void branch_over_waiters();
  void give_up_branch(size_t executed);
  Plan plan_of_path() const;

  void add_race(const Race& race, uint32_t second, const Move& move);
  void add_timeouts(const Observation& seen);
  void add_pending(const Observation& seen);
  void go_on_without_last_step(const Observation& seen);
  void reverse_all();
  bool reverse(Reversal& reversal);
  bool find_choice(Reversal* reversal, const Sequence& sequence) const;
  std::optional<bool> is_available(const Effect& take, const Node& node, const Sequence& sequence) const;
  Sequence essential_part(const Reversal& reversal) const;
  void add_rest(const Reversal& reversal, Sequence* sequence) const;
  std::shared_ptr<const Effects> effects_of_next(const Observation& seen, size_t from, uint32_t thread) const;

  std::vector<Node> path_;
  size_t planned_ = 0;  // steps of the path that the last plan gives
  size_t kept_ = 0;     // steps of the path that are those of the execution before
  CausalOrder order_;
  WakeupForest forest_;
  std::vector<Reversal> to_reverse_;
  std::vector<Reversal> unsettled_;  // to be considered again, by their second steps
  bool wakes_all_ = false;           // nothing is taken to be asleep after the last plan
  bool started_ = false;
  bool gave_up_ = false;  // the last plan could not be executed
  uint64_t executed_ = 0;
  bool repeats_differ_ = false;  // what was executed before could not be executed again
};

}  // namespace heddle
