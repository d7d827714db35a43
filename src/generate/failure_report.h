// What there is to say of a failing test: which calls, what they gave, and what they give one after the
// other.
#pragma once

#include <string>
#include <vector>

#include "generate/class_model.h"
#include "generate/concurrent_trial.h"
#include "generate/operation.h"
#include "report/story.h"

namespace heddle::generate {

class FailureReport {
 public:
  // All must outlive this.
  FailureReport(const ClassModel& model, const OperationTable& operations)
      : model_(model), operations_(operations) {}

  // The context is that of the failure's execution.
  FailureStory tell(ReportContext& context, const TestFailure& failure) const;

  // The same for the reader of a test, who sees the calls there: what happens, and how it comes about.
  std::vector<std::string> remarks(ReportContext& context, const FailureStory& story) const;

  // The calls that the threads make: "put(1, \"a\") and size()".
  std::string concurrent_calls(const CallPlan& plan) const;

 private:
  std::string label(OperationId call) const;
  Paragraph calls(const TestFailure& failure) const;
  Paragraph orders(const TestFailure& failure) const;
  std::string results_in(const CallPlan& plan, const SequentialOrder& order) const;

  const ClassModel& model_;
  const OperationTable& operations_;
};

}  // namespace heddle::generate
