// Deviations: how an execution could have gone otherwise, with an eye to targets.
//
// Two steps that race can perhaps be executed the other way round (causal_order.h). The accesses of a target
// race with each other here, whatever they do, since it is their order that is wanted. Such a deviation
// repeats the execution up to the first step of the race, then makes what must come before the second step
// and nothing else, then the second step. Further ones are the timeouts and wake-ups that were not chosen,
// and first of all the arrangements that lead to a target at once.
#pragma once

#include <span>

#include "explore/arrangement.h"

namespace heddle {

class Deviations {
 public:
  Deviations(const Observation& seen, std::span<const Target> targets);

  // The same for executions that have the same deviations.
  uint64_t hash() const;
  // Those that help first; at most `limit`, and the arrangements. Whether that was all: is_cut_off().
  std::vector<Deviation> list(size_t limit);
  bool is_cut_off() const { return cut_off_; }

 private:
  struct Reversal {
    Race race;
    uint32_t second = 0;  // kNoStep: the thread waits at the end
    Choice choice;
    bool helps = false;
  };

  void add_step(uint32_t step);
  void add_pending();
  void add_reversals(std::vector<Race>& races, uint32_t second, const Choice& choice, const Effects& effects);
  void mark(const std::vector<Operation>& operations, Effects* effects) const;
  bool helps(const Race& race, uint32_t second) const;
  bool helps(const Sightings& found, uint32_t first, uint32_t second) const;
  void add_arrangements(std::vector<Deviation>* found) const;
  void add_other_choices(std::vector<Deviation>* found) const;
  std::optional<Deviation> reverse(const Reversal& reversal) const;

  const Observation& seen_;
  const std::span<const Target> targets_;
  std::vector<Sightings> sightings_;  // by target
  CausalOrder order_;
  std::vector<Reversal> reversals_;
  bool cut_off_ = false;
};

}  // namespace heddle
