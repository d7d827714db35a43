// Learning which memory accesses are scheduling points, before the execution that counts.
//
// A memory access is one only if synchronisation leaves its order open, and an execution cannot know what
// will show that later in it. So a few quick executions under different, fixed policies run first, and what
// they saw is united until nothing is added any more. The result depends on the test alone, which is what
// makes a seed mean the same thing every time.
#pragma once

#include <chrono>
#include <cstdint>

#include "execute/fork_server.h"
#include "support/error.h"

namespace heddle {

struct LearningOptions {
  uint32_t quiet_executions = 8;  // the fixed point is reached when this many in a row add nothing
  uint32_t max_executions = 64;   // give up on a program that never settles
  uint32_t flags = 0;             // request flags that change what is executed, such as kNoSpinParking
  Injection injection;            // in all but the first execution
  uint64_t max_steps = trace::kDefaultMaxSteps;
  std::chrono::milliseconds timeout{60'000};
};

struct LearningResult {
  uint32_t executions = 0;
  bool settled = false;        // the fixed point was reached
  uint64_t longest_steps = 0;  // of one execution, for the pct policy's estimate
};

// Adds what is learned to the server's points.
Expected<LearningResult> learn_points(ForkServer& server, const LearningOptions& options = {});

}  // namespace heddle
