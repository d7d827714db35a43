// Mutants of a subject: does selection keep the tests that reveal their races?
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "common/bar.h"
#include "figures.h"
#include "mutator.h"
#include "workbench.h"

namespace heddle::bench {

struct MutantFigures {
  std::string subject;
  MutantKind kind = MutantKind::kLockRemoved;
  std::string file;
  uint32_t line = 0;
  std::string what;
  bool compiles = false;
  size_t suite = 0;     // tests that there are
  size_t executed = 0;  // that can show something
  size_t selected = 0;
  size_t races = 0;     // that all tests reveal
  size_t failures = 0;  // tests with failures of other kinds
  std::vector<MissedRace> missed;
  std::vector<std::string> missed_failures;  // that only tests show which are not selected
  double build_cpu_seconds = 0;
  double select_cpu_seconds = 0;  // reading the changed units included
  double test_cpu_seconds = 0;

  std::string name() const;
};

struct MutantPlan {
  size_t count = 0;      // that compile
  uint64_t seed = 1;     // which ones
  bool is_full = false;  // execute all tests, and say if one shows something that should not be able to
};

// Tries mutants until enough compile, and adds each to `measured`. What an earlier run with the same heddle
// has come to is taken as it is, but for full ones.
Expected<void> measure_mutants(Workbench& bench, const MutantPlan& plan,
                               std::vector<MutantFigures>& measured);

// By kind, and what all of it took.
std::string print_mutants(const std::vector<MutantFigures>& mutants, bool markdown);
// Every race that only tests reveal which are not selected; empty if there is none.
std::string print_missed(const std::vector<MutantFigures>& mutants);
Bar judge(const std::vector<MutantFigures>& mutants);

}  // namespace heddle::bench
