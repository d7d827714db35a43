// What the two ways of `heddle run` share: one execution, or one for each seed of a range.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "cli/reports.h"
#include "cli/test_options.h"
#include "execute/fork_server.h"
#include "execute/learning.h"
#include "execute/seeds.h"
#include "trace/schedule.h"

namespace heddle {

// A run is not to be stopped short because the program is long; a real livelock gets here within seconds.
// Learning makes do with trace::kDefaultMaxSteps.
inline constexpr uint64_t kMaxSteps = 100'000'000;

struct RunOptions {
  TestOptions test;
  std::string policy = "random";
  std::optional<uint64_t> seed;
  std::string seeds;
  bool keep_going = false;
  std::string schedule;
  std::string output;
  uint64_t max_steps = kMaxSteps;
  std::string timeouts = "any";
  bool no_learn = false;
  bool no_spin_parking = false;
  bool force = false;
  std::optional<std::string> inject;
};

// A test that is ready to be executed: the server runs, and its points are known.
struct PreparedRun {
  std::unique_ptr<const trace::Schedule> schedule;  // null if none was given
  ForkServer server;
  ExecutionRequest request;
  LearningResult learning;
  std::chrono::steady_clock::time_point started;

  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
  }
};

// That there may be more scheduling points than are known.
void say_if_not_settled(const LearningResult& learning);

// Executes each seed of the range and tells what they found. Returns the exit code.
Expected<int> run_with_seeds(const RunOptions& options, const SeedRange& seeds, const Reports& reports,
                             PreparedRun& run);

// Refuses options that make no sense for many executions.
Expected<void> check_seeds_options(const RunOptions& options, const trace::PolicySpec& policy);

}  // namespace heddle
