// RegressionSearch: problematic interleavings that a change has made possible in a test.
//
// Starts from the impacted events of the head's execution: what they can take part in is predicted, suspected
// and executed, and told unless the base does it as well. Then threads are delayed around these events, for
// what prediction cannot see.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "check/change_impact.h"
#include "check/delays.h"
#include "check/regression_filter.h"
#include "check/version_analysis.h"

namespace heddle {

class RegressionSearch {
 public:
  struct Options {
    UnitRule units;
    std::chrono::steady_clock::time_point deadline;  // for the executions of the head
    Prophecies::Options prophecies;
    Suspects::Options suspects;
    DelayHistory* delays = nullptr;
    // Asked of what the base does not do under the schedule at hand: whether it does so under another one.
    // May be empty.
    AskBase base_has_elsewhere;
  };
  // All but the statements and options must outlive this. Versions without a server, of which there are only
  // traces, are not executed.
  RegressionSearch(const StatementsOfBoth& statements, TestImpact& test, FindingListener& listener,
                   const Options& options);

  Expected<void> run();
  // For what else is found in the head.
  FindingListener& listener() { return filter_; }

  // What the base does as well.
  const std::vector<Finding>& known() const { return filter_.known(); }
  uint64_t explored() const { return head_.predicted().explored; }
  // How many patterns that would be without the focus; it takes a prediction of its own.
  uint64_t count_all() const;
  uint64_t executions() const { return head_.executions() + base_.executions() + delays_.executions(); }
  uint64_t not_tried() const { return head_.not_tried() + delays_.not_tried(); }
  const std::vector<std::string>& left_out() const { return head_.predicted().left_out; }

 private:
  Expected<bool> base_has(const FindingOfBoth& finding);

  const UnitRule units_;
  const AskBase base_has_elsewhere_;
  TestImpact& test_;
  Symbolizer& symbolizer_;
  BaseFindings base_;
  RegressionFilter filter_;
  VersionAnalysis head_;
  DelayHistory* delay_history_;
  Delays delays_;
  bool is_delaying_ = false;
};

}  // namespace heddle
