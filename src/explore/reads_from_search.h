// ReadsFromSearch: greybox fuzzing of who reads from whom (strategy `rf`).
//
// After Wolff, Shi, Duck, Mathur and Roychoudhury, "Greybox Fuzzing for Concurrency Testing", ASPLOS 2024. An
// abstract schedule is a set of constraints "this read reads from that write", each wanted or unwanted, which
// the runtime meets as far as it can, with POS as a base. What an execution has shown is the set of pairs
// that read from each other. An abstract schedule that showed a new set is kept and mutated, the more often
// the rarer its set is. Since statements and not threads are constrained, a hundred threads are not harder
// than two.
//
// As long as there are pairs that nobody has seen yet, every other execution wants one of them and nothing
// else, those first that have been tried least. A pair that has been tried several times in vain is taken to
// be impossible.
#pragma once

#include <random>
#include <set>
#include <unordered_map>

#include "explore/reads_from.h"
#include "explore/strategy.h"

namespace heddle {

struct ReadsFromConstraint {
  ReadsFromPair pair;
  bool wanted = true;  // a constraint on the initial value always is

  auto operator<=>(const ReadsFromConstraint&) const = default;
};

using AbstractSchedule = std::vector<ReadsFromConstraint>;

class ReadsFromSearch final : public Strategy {
 public:
  explicit ReadsFromSearch(uint64_t seed) : seed_(seed), random_(seed) {}

  Detail detail() const override { return Detail::kEvents; }
  std::optional<Plan> next() override;
  void learn(const Observation& seen) override;
  void overhear(const Observation& seen) override;
  void begin_again() override {}
  Claim claim() const override;
  uint64_t coverage() const override { return pairs_.seen().size(); }

  const ReadsFrom& pairs() const { return pairs_; }
  size_t corpus_size() const { return corpus_.size(); }

 private:
  struct Entry {
    AbstractSchedule schedule;
    uint64_t combination = 0;
    uint32_t rounds = 0;  // how often it was its turn
  };

  // A pair that has not been seen.
  struct Unseen {
    uint32_t tries = 0;   // how often it was wanted
    uint64_t number = 0;  // drawn at random
    ReadsFromPair pair;

    auto operator<=>(const Unseen&) const = default;
  };

  const AbstractSchedule& next_to_mutate();
  uint64_t energy_of(const Entry& entry) const;
  void mutate(AbstractSchedule* schedule);
  ReadsFromConstraint draw_constraint();
  std::optional<ReadsFromPair> take_unseen();
  void note_shown(const ReadsFrom::Seen& shown);
  uint64_t below(uint64_t n) { return random_() % n; }

  uint64_t seed_;  // of the next execution
  std::mt19937_64 random_;
  uint64_t executed_ = 0;
  ReadsFrom pairs_;
  std::set<Unseen> unseen_;       // those that have been tried least come first
  size_t looked_at_ = 0;          // of pairs_.possible()
  std::optional<Unseen> trying_;  // in the execution that is planned
  std::vector<Entry> corpus_;
  size_t turn_ = 0;                                     // whose it is
  uint64_t energy_left_ = 0;                            // mutants that it still gets
  std::unordered_map<uint64_t, uint64_t> frequencies_;  // of combinations
  uint64_t shown_ = 0;                                  // the sum of them
  AbstractSchedule planned_;
};

// As the runtime takes it.
std::vector<trace::ConstraintRecord> constraint_records(const AbstractSchedule& schedule,
                                                        const ReadsFrom& pairs);

}  // namespace heddle
