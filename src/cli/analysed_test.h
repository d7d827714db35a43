// What `detect` and `predict` share: where their events come from, and the execution of what they suspect.
//
// Events come from a trace file (heddle's own or std text), or from a test that is recorded first. A test can
// also be executed again to confirm what was found.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "check/lazy_confirmer.h"
#include "check/prophecies.h"
#include "check/suspects.h"
#include "cli/analysis_report.h"
#include "cli/command_line.h"
#include "cli/progress.h"
#include "cli/store_options.h"
#include "cli/test_options.h"
#include "cli/verdict_memory.h"
#include "confirm/confirm.h"
#include "confirm/recording.h"

namespace heddle {

struct AnalysisOptions {
  TestOptions test;
  StoreOptions store;
  std::string file;  // trace to analyse; "-": standard input
  std::string policy = "nonpreemptive";
  uint64_t seed = 0;
  std::string budget = "60s";
  std::string output;
  bool confirm = false;       // although it is not the default
  bool no_confirm = false;    // although it is
  bool verify_again = false;  // also what is known of this build
  bool all = false;           // also what did no harm or was not reproduced
  uint64_t max_steps = trace::kDefaultMaxSteps;
};

void add_analysis_options(CLI::App& command, AnalysisOptions& options);

class AnalysedTest : public SuspectedTest {
 public:
  // The report must outlive it. Tells as a finding how the recorded execution failed, if it did.
  static Expected<std::unique_ptr<AnalysedTest>> record(const AnalysisOptions& options,
                                                        const std::vector<std::string>& words,
                                                        AnalysisReport& report);
  // Executes the test by the schedules of a trace that was recorded before.
  static Expected<std::unique_ptr<AnalysedTest>> over(const AnalysisOptions& options,
                                                      const trace::Trace& trace,
                                                      const std::vector<std::string>& words,
                                                      AnalysisReport& report);

  const trace::Trace& trace() const { return recording_.trace(); }
  bool confirms() const override { return confirms_; }
  Expected<Confirmer*> confirmer() override;
  bool has_time() const override { return std::chrono::steady_clock::now() < deadline_; }
  Expected<std::optional<Confirmed>> tell_known(const std::string& fingerprint, ReportContext& context,
                                                FailureStory story, ToldFinding told) override;
  void remember(const std::string& fingerprint, const Verdict& verdict) override {
    memory_.remember(fingerprint, verdict);
  }
  uint64_t executions() const {
    return recording_.learning.executions + 1 + (confirmer_ ? confirmer_->executions() : 0);
  }

 private:
  AnalysedTest(ForkServer server, AnalysisReport& report) : server_(std::move(server)), report_(report) {}
  static Expected<std::unique_ptr<AnalysedTest>> start(const AnalysisOptions& options,
                                                       const std::vector<std::string>& words,
                                                       AnalysisReport& report);
  Expected<void> begin_budget(const AnalysisOptions& options);

  ForkServer server_;
  AnalysisReport& report_;
  VerdictMemory memory_;
  bool confirms_ = false;
  Recording recording_;
  bool recorded_here_ = false;  // by this build, not read from a file
  std::optional<LazyConfirmer> confirmer_;
  std::chrono::steady_clock::time_point deadline_;
};

// Tells as a finding how the execution failed that was only to be recorded, if it did.
Expected<void> tell_own_failure(const Recording& recording, const ForkServer& server,
                                FindingListener& listener);

// That tell how far it is.
Prophecies::Options prophecy_options(const AnalysisReport& report, Progress& progress, bool lists_all);
Suspects::Options suspect_options(const AnalysisReport& report, Progress& progress, bool lists_all = false);

// Whether one of them fails the command. Of those that could have been executed, only what was shown does,
// and none that the base has as well.
bool has_failures(const std::vector<Finding>& findings, bool confirms);

// Writes the result as far as that is wanted, and gives the exit code. What was not executed although it
// could have been fails nothing.
Expected<int> finish_analysis(const Reports& reports, const RunResult& result, bool confirms);

}  // namespace heddle
