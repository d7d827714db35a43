// Coverage: which edges inputs have taken, how often (in steps, as AFL has them), and which edges are rare.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace heddle::fuzz {

// What an execution has that none had before.
struct NewCoverage {
  uint32_t edges = 0;
  uint32_t counts = 0;  // edges that were taken another number of times
  bool any() const { return edges + counts > 0; }
};

class Coverage {
 public:
  explicit Coverage(size_t edges) : seen_(edges), executions_of_(edges) {}

  // Counts the execution.
  NewCoverage look(std::span<const uint8_t> counters);

  size_t reached_edges() const { return reached_; }
  // In how many executions an edge was taken.
  uint32_t executions_of(uint32_t edge) const { return executions_of_[edge]; }

 private:
  std::vector<uint8_t> seen_;  // by edge: a bit for each step of its count
  std::vector<uint32_t> executions_of_;
  size_t reached_ = 0;
};

// The edges with a count.
std::vector<uint32_t> edges_of(std::span<const uint8_t> counters);

}  // namespace heddle::fuzz
