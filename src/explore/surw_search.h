// SurwSearch: selectively uniform random walks (strategy `surw`).
//
// Zhao, Wolff, Mathur and Roychoudhury, "Selectively Uniform Concurrency Testing", ASPLOS 2025. For each
// execution one shared location is drawn, and the order of its accesses is drawn uniformly from all orders
// that there are; everything else is a random walk. Which accesses there will be is estimated from earlier
// executions, some of which are therefore recorded.
//
// What is handed to the runtime are statements, not the location: these mean the same in every execution,
// wherever an object lies and whenever it was allocated. So locations that the same statements use count as
// one, such as the elements of an array. Now and then all statements on shared locations are of interest.
// If some operations are preferred (Operation::is_preferred), three of four draws are among the locations
// that these access.
#pragma once

#include <map>
#include <random>
#include <set>

#include "explore/strategy.h"

namespace heddle {

class SurwSearch final : public Strategy {
 public:
  explicit SurwSearch(uint64_t seed) : seed_(seed), random_(seed) {}

  Detail detail() const override;
  std::optional<Plan> next() override;
  void learn(const Observation& seen) override;
  void overhear(const Observation& seen) override;
  void begin_again() override {}
  Claim claim() const override;
  // Sets of statements that share a location.
  uint64_t coverage() const override { return groups_.size(); }

 private:
  using Statements = std::vector<uint64_t>;  // sorted

  void count_events(const Observation& seen);
  void find_groups(const Observation& seen);
  size_t draw();
  std::vector<uint64_t> estimates_of(const Statements& statements) const;

  uint64_t seed_;  // of the next execution
  std::mt19937_64 random_;
  uint64_t executed_ = 0;
  std::vector<Statements> groups_;
  std::vector<size_t> preferred_;  // of the groups
  std::set<Statements> known_groups_;
  std::set<uint64_t> shared_;                                 // all statements of groups_
  std::map<std::pair<uint64_t, uint32_t>, uint64_t> counts_;  // by statement and thread: how often, at least
  std::map<uint32_t, uint32_t> creators_;                     // of threads
};

}  // namespace heddle
