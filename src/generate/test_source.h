// Test sources: concurrent tests as GoogleTest files that a person can read, keep and debug.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "generate/class_model.h"
#include "generate/concurrent_trial.h"
#include "generate/operation.h"

namespace heddle::generate {

// One test: it executes its plan under many schedules.
struct TestCase {
  std::string name;  // "PutWithSize"
  CallPlan plan;
  // The kind of failure that it is to show. For kOk none is known: it compares the results with those of all
  // orders of the calls, as for kAtomicity.
  trace::OutcomeKind shows = trace::OutcomeKind::kOk;
  RightResults right;
  bool detects_races = false;
  std::string policy = "random";
  uint64_t executions = 0;           // 0: as many as heddle::explore() makes by itself
  std::vector<std::string> remarks;  // lines of a comment in front of it
};

struct TestFileOptions {
  std::vector<std::string> headers;  // of the class, as they are to be included
  std::string suite;                 // "CacheConcurrency"
};

// Names made of a class, and of the methods that the threads call.
std::string suite_name(const ClassModel& model);
std::string test_name(const CallPlan& plan, const ClassModel& model, const OperationTable& operations);
// "put_with_size": of a file.
std::string file_stem(const std::string& name);

// Whether a failure of this kind shows in the results of the calls, so that the test compares them.
bool shows_in_results(trace::OutcomeKind kind);

std::string test_file(const std::vector<TestCase>& tests, const ClassModel& model,
                      const OperationTable& operations, const TestFileOptions& options);

}  // namespace heddle::generate
