// ComparedTest: a test of both builds of a change, executed under one schedule after another.
//
// Each execution of the head that does something new is compared with the base's under the same schedule. If
// there are changed statements that none of them has come to, or that fewer threads have come to than to what
// leads there (acts_of_threads.h), a few more are tried for their sake.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "check/acts_of_threads.h"
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
  // an execution in which nothing happened. After the deadline, none is tried that need not be.
  Expected<std::unique_ptr<TestImpact>> next(
      std::chrono::steady_clock::time_point deadline = std::chrono::steady_clock::time_point::max());

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
        reached_(change.change().statements),
        acts_(change.statements()) {}

  // Why a schedule is tried.
  enum class Purpose : uint8_t { kWanted, kUnreached, kActs };
  struct Proposal {
    trace::PolicySpec policy;
    Purpose purpose = Purpose::kWanted;
    ActsOfThreads::Wait wait;
  };
  std::optional<Proposal> propose(std::chrono::steady_clock::time_point deadline);
  bool serves(Purpose purpose, size_t unreached_before, const trace::Trace& head);
  Expected<Version> start(const SuiteTest& test);
  Expected<Recording> record(Version& version, const trace::PolicySpec& policy,
                             const std::vector<uint64_t>& places = {});
  Expected<std::unique_ptr<TestImpact>> compare(const Proposal& proposal, Recording head);
  Expected<void> execute_again(VersionOfTest* version);
  void note_reached(const trace::Trace& trace);
  void note_blocks(const trace::Trace& trace);

  const ChangeImpact& change_;
  const TestOfBoth test_;
  Symbolizer& symbolizer_;
  const NameOfFile head_files_;
  Version base_;
  Version head_;
  ComparedSchedules schedules_;
  ReachedCode reached_;
  ActsOfThreads acts_;
  std::set<std::string> modules_;  // of the head, whose blocks are known
  bool has_threads_ = true;        // until an execution shows that it has none
  bool is_first_ = true;
  uint64_t executions_ = 0;
};

}  // namespace heddle
