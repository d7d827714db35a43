#include "check/trial.h"

#include <set>

#include "execute/fork_server.h"
#include "execute/learning.h"
#include "execute/seeds.h"

namespace heddle {
namespace {

using Clock = std::chrono::steady_clock;
using trace::OutcomeKind;
using namespace trace::request_flag;

// Of one server.
class Trier {
 public:
  Trier(const SuiteTest& test, ForkServer& server, Suppressions& suppressions, Symbolizer& symbolizer)
      : test_(test), server_(server), suppressions_(suppressions), symbolizer_(symbolizer) {}

  // False if heddle lost sight of the execution.
  bool look_at(const ExecutionRequest& request, const Execution& execution) {
    ++trial_.executions;
    const OutcomeKind kind = execution.outcome.kind;
    if (kind == OutcomeKind::kKilled || kind == OutcomeKind::kInternal) {
      trial_.trouble = execution.outcome.message;
      return false;
    }
    if (kind == OutcomeKind::kExitCode && test_.accepts(execution.outcome.exit_code)) return true;
    const std::vector<Finding> findings = make_findings(execution.trace, symbolizer_, &suppressions_);
    if (findings.empty() && execution.failed()) ++trial_.suppressed;
    for (const Finding& finding : findings) {
      if (!known_.insert(finding.fingerprint).second) continue;
      TrialFinding& found = trial_.findings.emplace_back();
      found.finding = finding;
      found.finding.executions_to_find = trial_.executions;
      found.schedule = server_.schedule_of(request, execution);
      found.execution = execution;
      found.execution.trace = execution.trace.clone();
      found.execution.learned = {};
    }
    return true;
  }

  Trial take() { return std::move(trial_); }
  Trial& trial() { return trial_; }

 private:
  const SuiteTest& test_;
  ForkServer& server_;
  Suppressions& suppressions_;
  Symbolizer& symbolizer_;
  std::set<std::string> known_;
  Trial trial_;
};

}  // namespace

Expected<Trial> try_test(const SuiteTest& test, const TrialOptions& options, Suppressions& suppressions,
                         Symbolizer& symbolizer) {
  const auto started = Clock::now();
  Expected<ForkServer> server = ForkServer::start(test.command);
  if (!server) {
    Trial trial;
    trial.trouble = server.error().message;
    return trial;
  }
  Trier trier(test, *server, suppressions, symbolizer);
  ExecutionRequest request;
  request.flags = kRecordEvents | kRecordChoices | kDetectRaces;
  request.timeout = test.timeout ? std::min<std::chrono::milliseconds>(*test.timeout, options.test_timeout)
                                 : options.test_timeout;
  LearningOptions learning;
  learning.flags = kDetectRaces;
  learning.timeout = request.timeout;
  learning.quiet_executions = options.quiet_executions;
  const Expected<LearningResult> learned = learn_points(*server, learning);
  if (!learned) return tl::unexpected(learned.error());
  trier.trial().learning_executions = learned->executions;

  request.policy.kind = trace::PolicyKind::kNonpreemptive;
  if (options.observe) request.flags |= kCoverage;
  const auto first_started = Clock::now();
  const Expected<Execution> first = server->run(request);
  if (!first) return tl::unexpected(first.error());
  if (options.observe) options.observe({*first, Clock::now() - first_started, server->binary()});
  bool goes_on = trier.look_at(request, *first);
  request.flags &= ~kCoverage;
  trier.trial().complete = goes_on && options.seeds == 0;
  if (goes_on && options.seeds > 0) {
    request.policy.kind = trace::PolicyKind::kRandom;
    const Expected<uint64_t> made =
        run_seeds(*server, request, {1, options.seeds},
                  [&](const ExecutionRequest& seeded, const Execution& execution) {
                    goes_on = trier.look_at(seeded, execution) && Clock::now() < options.deadline;
                    return goes_on;
                  });
    if (!made) return tl::unexpected(made.error());
    trier.trial().complete = *made == options.seeds;
  }
  Trial trial = trier.take();
  trial.seconds = std::chrono::duration<double>(Clock::now() - started).count();
  return trial;
}

}  // namespace heddle
