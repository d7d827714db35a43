// Arrangement: the shortest way from an execution to one that shows a target.
//
// The steps of two threads are put together anew: the one up to a point between `first` and `then`, then the
// other one up to and with `between`. What either cannot do without comes along: the creation of threads,
// notifies, posts. Values may turn out differently, so a plan of this kind is a guess; but it costs one
// execution however far apart the accesses were. A thread is not stopped while it holds a lock that the other
// one will take.
#pragma once

#include <set>
#include <utility>

#include "explore/causal_order.h"
#include "explore/target.h"

namespace heddle {

struct Deviation {
  uint32_t depth = 0;           // so many steps are the same
  std::vector<Choice> choices;  // that follow them
  uint32_t price = 0;
  std::optional<size_t> only_for;  // the number of the target that it is to show, and nothing else
};

class Arranger {
 public:
  explicit Arranger(const Observation& seen);

  // Those that move the fewest steps come first.
  std::vector<Deviation> arrange(const Sightings& found, size_t limit) const;

 private:
  using Locks = std::set<std::pair<uint64_t, uint64_t>>;  // by object and offset

  std::optional<Deviation> arrange(const Sightings::Pair& pair, uint32_t between) const;
  std::optional<uint32_t> stop_between(const Sightings::Pair& pair, const Locks& wanted) const;
  std::optional<uint32_t> stop_before(uint32_t between, uint32_t thread, uint32_t last) const;
  Locks locks_taken(uint32_t thread, uint32_t from, uint32_t to) const;
  bool append(uint32_t from, uint32_t last, uint32_t without, std::vector<bool>* taken,
              std::vector<Choice>* choices) const;
  uint32_t step_before(uint32_t thread, uint32_t step) const;

  const Observation& seen_;
  CausalOrder order_;                       // without what threads do to memory and locks
  std::vector<std::vector<uint32_t>> own_;  // by thread: its steps
  std::vector<std::vector<Locks>> held_;    // by thread and number of the step: before it
};

}  // namespace heddle
