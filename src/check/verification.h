// Verification: what detectors suspect of a test that did nothing wrong, executed, as `heddle detect` does
// it.
//
// Two accesses that no common lock protects need not meet in any of a number of random schedules. Here
// threads are made to wait for each other at the two.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>

#include "check/lazy_confirmer.h"
#include "check/suspected_test.h"
#include "confirm/recording.h"
#include "execute/fork_server.h"
#include "report/suppressions.h"
#include "suite/test_suite.h"

namespace heddle {

class Verification final : private FindingListener, private SuspectedTest {
 public:
  struct Listener {
    std::function<bool(const Finding&)> is_found;  // it need not be looked into
    // This schedule shows something, if this server executes it with these flags.
    std::function<Expected<void>(ForkServer&, const trace::Schedule&, uint32_t, Confirmation)> shown;
  };
  // The test, the suppressions and the symbolizer must outlive this.
  Verification(const SuiteTest& test, std::chrono::milliseconds timeout, Suppressions& suppressions,
               Symbolizer& symbolizer, Listener listener);

  // Records an execution and looks into what is suspected of it, until the deadline or until heddle is
  // interrupted. Called again, it goes on with what was not reached. `points`: what is known to be shared.
  Expected<void> run(std::span<const trace::PointRecord> points,
                     std::chrono::steady_clock::time_point deadline);
  bool is_done() const { return is_done_; }
  uint64_t executions() const { return executions_; }

 private:
  Symbolizer& symbolizer() override { return symbolizer_; }
  std::optional<std::string> news(ReportContext& context, const FailureStory& story,
                                  trace::OutcomeKind kind) override;
  Expected<void> tell(ReportContext& context, FailureStory story, const ToldFinding& told) override;
  bool confirms() const override { return true; }
  bool has_time() const override;
  Expected<Confirmer*> confirmer() override;
  Expected<std::optional<Confirmed>> tell_known(const std::string&, ReportContext&, FailureStory,
                                                ToldFinding) override {
    return std::nullopt;
  }
  void remember(const std::string& fingerprint, const Verdict&) override { tried_.insert(fingerprint); }

  const SuiteTest& test_;
  const std::chrono::milliseconds timeout_;
  Suppressions& suppressions_;
  Symbolizer& symbolizer_;
  const Listener listener_;
  std::set<std::string> tried_;  // fingerprints
  bool is_done_ = false;
  uint64_t executions_ = 0;

  // Of one run.
  struct Session {
    ForkServer server;
    Recording recording;
    std::optional<LazyConfirmer> confirmer;
    std::set<std::string> asked;  // fingerprints
    std::chrono::steady_clock::time_point deadline;
  };
  std::unique_ptr<Session> session_;
};

}  // namespace heddle
