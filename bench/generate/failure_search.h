// What generate finds in a class, and what that takes.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "generate/generator.h"
#include "prepared_subject.h"
#include "support/error.h"

namespace heddle::bench {

// A failing test that was emitted.
struct EmittedFailure {
  std::string kind;
  std::string message;
  std::string calls;  // of its threads
  bool is_the_bug = false;
  double cpu_seconds = 0;  // until it was emitted: found and made smaller
  double seconds = 0;
  uint64_t tests = 0;  // executed until it was found
  uint64_t executions = 0;
  bool fails_again = false;  // the written test fails under heddle
};

struct FailureSearch {
  std::string name;
  bool has_bug = false;
  bool is_race_free = true;
  double driver_cpu_seconds = 0;
  size_t operations = 0;
  size_t unusable = 0;  // callables and calls
  std::vector<EmittedFailure> failures;
  generate::GeneratorStatus status;  // in the end
  double cpu_seconds = 0;
  bool is_complete = false;
  size_t passing_tests = 0;  // in the suite
  size_t failing_lines = 0;  // of all failing tests
  size_t passing_lines = 0;  // of the suite
  size_t driver_lines = 0;
  bool are_tests_executed = false;
  std::string tests_trouble;  // why not all of the written tests could be executed

  const EmittedFailure* first_of_bug() const;
  bool starts_with_bug() const { return !failures.empty() && failures.front().is_the_bug; }
};

struct FailureSearchOptions {
  std::chrono::milliseconds budget{60'000};
  std::chrono::milliseconds check_budget{60'000};  // for executing the written tests; 0: they are not
  uint64_t seed = 1;
  std::filesystem::path compilers;
  std::filesystem::path includes;
  std::filesystem::path runtime;
};

Expected<FailureSearch> search_failures(const PreparedSubject& prepared, const FailureSearchOptions& options);

}  // namespace heddle::bench
