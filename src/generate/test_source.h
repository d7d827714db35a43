// Test sources: concurrent tests as GoogleTest files that a person can read, keep and debug.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "generate/class_model.h"
#include "generate/concurrent_trial.h"
#include "generate/operation.h"

namespace heddle::generate {

struct TestSourceOptions {
  std::vector<std::string> headers;  // of the class, as they are to be included
  std::string suite;                 // "CacheConcurrency"
  std::string name;                  // "PutWithSize"
  uint64_t seed = 1;                 // of the first schedule
  std::string policy = "random";
  std::vector<std::string> remarks;  // lines of a comment in front of the test
};

// Names made of a class and of the methods that its threads call.
std::string suite_name(const ClassModel& model);
std::string test_name(const CallPlan& plan, const ClassModel& model, const OperationTable& operations);

// A test that executes the plan under many schedules and fails with the kind of failure given (for kOk, with
// none that is known): it compares the results with those of all orders of the calls.
std::string test_source(const CallPlan& plan, trace::OutcomeKind shows,
                        const std::vector<SequentialOrder>& orders, const ClassModel& model,
                        const OperationTable& operations, const TestSourceOptions& options);

}  // namespace heddle::generate
