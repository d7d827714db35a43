// ComparedTest: a test of both builds of a change, executed under one schedule after another.
//
// Each execution of the head that does something new is compared with the base's under the same schedule. If
// there are changed statements that none of them has come to, a few more are tried for their sake.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "check/base_findings.h"
#include "check/change_impact.h"
#include "check/compared_schedules.h"
#include "check/reached_code.h"

namespace heddle {

class ComparedTest {
 public:
  // Starts both programs and learns what their threads share. All must outlive this.
  static Expected<std::unique_ptr<ComparedTest>> start(const ChangeImpact& change, const TestOfBoth& test,
                                                       uint32_t schedules, Symbolizer& symbolizer);

  const TestOfBoth& test() const { return test_; }
  // Knows all points that were learned.
  ForkServer& head_server() { return *head_.server; }

  // Null when no more schedules are wanted. Of a test that only the head has, everything is new: its base is
  // an execution in which nothing happened.
  Expected<std::unique_ptr<TestImpact>> next();

  // Whether the base does so under one of the schedules that are planned, other than the given one. It is
  // executed anew for each question, so that the traces of one pair are all that is in memory beside.
  Expected<bool> base_has(const FindingOfBoth& finding, UnitRule units,
                          const std::optional<trace::PolicySpec>& except = {});

  // All that it took so far.
  uint64_t executions() const { return executions_; }
  // Changed statements that no execution of the head has come to.
  std::vector<StatementId> unreached() const { return reached_.unreached(); }

 private:
  struct Version {
    std::shared_ptr<ForkServer> server;  // null: it does not have the test
    RecordingOptions options;
  };
  ComparedTest(const ChangeImpact& change, const TestOfBoth& test, uint32_t schedules, Symbolizer& symbolizer)
      : change_(change),
        test_(test),
        symbolizer_(symbolizer),
        head_files_(change.head_files()),
        schedules_(schedules),
        reached_(change.change().statements) {}

  Expected<Version> start(const SuiteTest& test);
  Expected<Recording> record(Version& version, const trace::PolicySpec& policy);
  Expected<std::unique_ptr<TestImpact>> compare(const trace::PolicySpec& policy, Recording head);
  Expected<void> execute_again(VersionOfTest* version);
  void note_reached(const trace::Trace& trace);

  const ChangeImpact& change_;
  const TestOfBoth test_;
  Symbolizer& symbolizer_;
  const NameOfFile head_files_;
  Version base_;
  Version head_;
  ComparedSchedules schedules_;
  ReachedCode reached_;
  bool has_threads_ = true;  // until an execution shows that it has none
  bool is_first_ = true;
  uint64_t executions_ = 0;
};

}  // namespace heddle
