// TargetedSearch: executions that show the targets of another engine (target.h).
//
// It executes the default schedule, looks how that could have gone otherwise (deviations.h), executes the
// cheapest deviation that has not been executed, looks at that one, and so on: a deviation that brings a
// target's accesses nearer to the wanted order costs little, any other one more. Usually one or two of the
// first kind are enough; the others reach what must be executed differently before, such as code that runs
// only for certain values. A plan that cannot be followed, since a lock is held, say, goes on from there
// under the default schedule. Of executions that are equivalent, one is looked at.
//
// The search ends when all targets have been shown, when nothing is left to try, or after so many executions
// in a row that have shown none.
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <unordered_set>

#include "explore/strategy.h"
#include "explore/target.h"

namespace heddle {

class TargetedSearch final : public Strategy {
 public:
  struct Options {
    uint64_t patience = 1000;         // executions in a row that show no target
    size_t max_waiting = 16'000'000;  // choices of deviations that are kept to be executed later
  };
  struct Result {
    Target target;
    std::optional<Plan> shown_by;  // all choices of the first execution that showed it
  };

  explicit TargetedSearch(const std::vector<Target>& targets) : TargetedSearch(targets, Options()) {}
  TargetedSearch(const std::vector<Target>& targets, Options options);

  Detail detail() const override { return Detail::kOperations; }
  std::optional<Plan> next() override;
  void learn(const Observation& seen) override;
  void overhear(const Observation& seen) override;
  void begin_again() override;
  Claim claim() const override;
  uint64_t coverage() const override { return shown_; }

  // In the order in which they were given.
  const std::vector<Result>& results() const { return results_; }
  // Everything was tried: what has not been shown is impossible, as far as executions tell all of a program.
  bool is_exhausted() const { return exhausted_ && !left_out_; }

 private:
  struct Waiting {
    std::shared_ptr<const std::vector<Choice>> schedule;  // of the execution that it deviates from
    uint32_t depth = 0;
    std::vector<Choice> choices;
    std::optional<size_t> only_for;  // number of a result
  };

  bool note_shown(const Observation& seen);
  void look_at(const Observation& seen);
  void add(uint32_t price, Waiting waiting);
  static size_t size_of(const Waiting& waiting) { return waiting.choices.size() + 1; }
  Plan plan_of(const Waiting& waiting) const;

  const Options options_;
  std::vector<Result> results_;
  uint64_t shown_ = 0;
  uint64_t executed_ = 0;
  uint64_t in_vain_ = 0;  // executions since a target was shown
  uint32_t price_ = 0;    // of the execution that is planned
  bool started_ = false;
  bool exhausted_ = false;
  bool left_out_ = false;                            // something will never be executed
  std::map<uint32_t, std::deque<Waiting>> waiting_;  // by price
  size_t waiting_size_ = 0;
  std::unordered_set<uint64_t> planned_;    // hashes of prefixes
  std::unordered_set<uint64_t> looked_at_;  // hashes of executions
};

}  // namespace heddle
