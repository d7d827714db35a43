// Whether impact analysis is safe: of changes of the kinds that make regressions, each failing pattern that
// full prediction confirms on the head and not on the base must have an impacted event.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "common/subject.h"
#include "risky_changes.h"

namespace heddle::bench {

struct SafetyFigures {
  std::string subject;
  RiskyKind kind = RiskyKind::kLockRemoved;
  std::string name;
  bool compiles = false;
  uint64_t tests = 0;
  uint64_t impacted = 0;            // events
  uint64_t confirmed = 0;           // failing patterns that the base does not have
  uint64_t elsewhere = 0;           // of them: another example of the same pattern has the impacted event
  uint64_t of_another = 0;          // of them: the failure is another pattern's, which has one
  std::vector<std::string> missed;  // those without one, in words
};

struct SafetyOptions {
  std::filesystem::path work;
  std::filesystem::path compilers;
  size_t changes = 15;  // of each subject, that compile
  size_t tests = 2;     // for each change, of those that execute what it changes
  uint64_t seed = 1;
  std::string only;  // changes whose names contain it
};

Expected<std::vector<SafetyFigures>> measure_safety(const Subject& subject, const SafetyOptions& options);

// A line for each kind.
std::string print_safety(const std::vector<SafetyFigures>& figures, bool markdown);
std::string print_missed(const std::vector<SafetyFigures>& figures);

}  // namespace heddle::bench
