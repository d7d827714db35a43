// BoundedSearch: every interleaving once, in the order of what it costs.
//
// The default schedule is free: each thread runs until it blocks, then the next one in turn. Choosing
// otherwise has a price, and the search executes all interleavings of price 0, then those of price 1, and so
// on up to a bound. What counts as price makes the strategy: nothing (depth-first search), preemptions
// (iterative context bounding; Musuvathi and Qadeer, PLDI 2007), or choices of the default scheduler that are
// passed over (delay bounding; Emmi, Qadeer and Rakamarić, POPL 2011).
//
// Within one price the search is depth first. What it comes across that costs more is put off: the schedule
// and the choice that differs, so that nothing is executed twice. These are as many as there are choices in
// the executions of one price; the depth-first search itself needs only the current schedule.
#pragma once

#include <deque>
#include <map>
#include <memory>

#include "explore/strategy.h"

namespace heddle {

class BoundedSearch : public Strategy {
 public:
  Detail detail() const override { return Detail::kChoices; }
  std::optional<Plan> next() override;
  void learn(const Observation& seen) override;
  void begin_again() override;
  Claim claim() const override;
  uint64_t pruned() const override { return cut_off_; }

  bool is_over() const { return over_; }
  bool has_diverged() const { return diverged_; }
  // The price of what has been executed lately.
  uint32_t price() const { return price_; }

 protected:
  explicit BoundedSearch(uint32_t bound) : bound_(bound) {}

  // Of the alternative at `index`. The first one is the default scheduler's choice, the others follow in the
  // order of their threads; `previous` is what was chosen one step before, if anything.
  virtual uint32_t price_of(const std::optional<Choice>& previous, const std::vector<Choice>& alternatives,
                            size_t index) const = 0;
  virtual std::string meaning() const = 0;
  // Whether what has a price may be chosen instead of this step.
  virtual bool may_pay_at(const ObservedStep&) const { return true; }
  // Of what costs the same, that comes first which has paid least often at other steps than these.
  virtual bool is_preferred(const ObservedStep&) const { return true; }

 private:
  struct Node {
    std::vector<Choice> alternatives;  // default first
    size_t chosen = 0;
    bool is_preferred = true;
  };
  // An execution some of whose choices are to be made differently, at a higher price.
  struct PutOff {
    std::shared_ptr<const std::vector<Choice>> schedule;
    uint32_t depth;
    Choice choice;
    uint32_t detours;  // it has paid so often elsewhere than at preferred steps
  };

  void add_node(const ObservedStep& step);
  bool advance();
  bool take_put_off();
  std::optional<Choice> chosen_before(size_t depth) const;
  void put_off_alternatives(size_t first_new);
  Plan plan_of_path() const;

  const uint32_t bound_;
  uint32_t price_ = 0;
  bool started_ = false;
  uint64_t cut_off_ = 0;  // choices that were left out because of the bound
  bool over_ = false;
  bool diverged_ = false;  // what was possible once was not possible again
  uint64_t executed_ = 0;
  std::vector<Choice> prefix_;  // of the execution that was put off; its alternatives are not to be tried
  std::vector<Node> path_;      // what follows it
  uint32_t detours_ = 0;        // of the prefix
  std::vector<std::map<uint32_t, std::deque<PutOff>>> put_off_;  // by price, by detours
};

class DepthFirstSearch final : public BoundedSearch {
 public:
  DepthFirstSearch() : BoundedSearch(0) {}
  Claim claim() const override;

 private:
  uint32_t price_of(const std::optional<Choice>&, const std::vector<Choice>&, size_t) const override {
    return 0;
  }
  std::string meaning() const override { return "interleavings one after another"; }
};

// pcb:K. Leaving a thread that could have gone on costs 1.
class PreemptionBoundedSearch : public BoundedSearch {
 public:
  explicit PreemptionBoundedSearch(uint32_t bound) : BoundedSearch(bound), preemptions_(bound) {}

 protected:
  std::string meaning() const override;

 private:
  uint32_t price_of(const std::optional<Choice>& previous, const std::vector<Choice>& alternatives,
                    size_t index) const override;

  const uint32_t preemptions_;
};

// delay:K. The n-th in turn after the default scheduler's choice costs n.
class DelayBoundedSearch final : public BoundedSearch {
 public:
  explicit DelayBoundedSearch(uint32_t bound) : BoundedSearch(bound), delays_(bound) {}

 private:
  uint32_t price_of(const std::optional<Choice>&, const std::vector<Choice>&, size_t index) const override {
    return static_cast<uint32_t>(index);
  }
  std::string meaning() const override;

  const uint32_t delays_;
};

// The alternatives with the default first and the others in turn after it.
std::vector<Choice> in_turn(std::vector<Choice> alternatives, const Choice& first);

}  // namespace heddle
