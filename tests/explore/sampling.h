// Executions of tests/explore/sampled_program.cpp under the real runtime, by the thousand.
#pragma once

#include <functional>
#include <map>
#include <string>

#include "execute/fork_server.h"
#include "explore/strategy.h"

namespace heddle {

struct Samples {
  std::map<std::string, uint64_t> outputs;  // how often the program printed that
  uint64_t executions = 0;
  uint64_t failures = 0;
  uint64_t first_failure = 0;  // the number of the execution, from 1; 0: none
  uint64_t longest_steps = 0;  // of one execution
};

class Sampler {
 public:
  // Starts the program and learns its scheduling points.
  explicit Sampler(const std::string& program, int threads = 0);

  // With one seed after the other.
  Samples sample(trace::PolicySpec policy, uint64_t executions);
  // What a strategy wants. Each failure is replayed.
  Samples explore(Strategy& strategy, uint64_t executions, bool until_failure = false);

  uint64_t longest_steps() const { return longest_steps_; }

 private:
  void add(const Execution& execution, Samples* samples) const;
  void replay(const ExecutionRequest& request, const Execution& execution);

  ForkServer server_;
  uint64_t longest_steps_ = 0;
};

// The chi-square statistic of these counts against the uniform distribution over `categories`, in standard
// deviations from what it is expected to be: a fair sample is within 5, but for one in millions.
double deviation_from_uniform(const std::map<std::string, uint64_t>& counts, size_t categories);

}  // namespace heddle
