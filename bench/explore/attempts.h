// Attempts: runs one strategy on one subject until its first failure or its limit.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "catalogue.h"
#include "support/error.h"

namespace heddle::bench {

// The native build, again and again.
inline constexpr const char* kStress = "stress";

struct AttemptLimits {
  uint64_t executions = 10'000;  // of one attempt
  uint64_t seconds = 10;         // the same, of wall clock
  uint64_t stress_runs = 1'000;
  uint64_t seeds = 3;  // attempts of a strategy that draws numbers; the median counts
};

enum class AttemptEnd {
  kFound,
  kLimit,
  kOver,    // the search ended by itself
  kBroken,  // heddle failed, or the subject did in a way that it should not
};

struct Attempt {
  AttemptEnd end = AttemptEnd::kLimit;
  uint64_t executions = 0;  // to the first failure, or all; learning included
  double cpu_seconds = 0;   // of heddle and everything it starts
  std::string kind;         // of the failure
  std::string problem;      // if it is broken

  bool found() const { return end == AttemptEnd::kFound; }
};

class Attempts {
 public:
  Attempts(std::string heddle, std::string subjects, AttemptLimits limits)
      : heddle_(std::move(heddle)), subjects_(std::move(subjects)), limits_(limits) {}

  // The median of as many as the strategy needs, or of stress.
  Expected<Attempt> to_first_failure(const SubjectRun& run, const std::string& strategy) const;

  // The correct version, which can only end by its limit or with the search.
  Expected<Attempt> of_fixed(const SubjectRun& run, const std::string& strategy, uint64_t executions) const;

 private:
  struct Exploration {
    std::string strategy;
    uint64_t seed = 1;
    uint64_t executions = 0;
    bool fixed = false;
  };

  std::vector<std::string> command(const SubjectRun& run, const char* build, bool fixed) const;
  Expected<Attempt> explore(const SubjectRun& run, const Exploration& exploration) const;
  Expected<Attempt> stress(const SubjectRun& run) const;

  std::string heddle_;
  std::string subjects_;  // folder of their binaries
  AttemptLimits limits_;
};

}  // namespace heddle::bench
