#include "check/trial.h"

#include <fmt/format.h>

#include "execute/learning.h"
#include "suite/verdict_of_end.h"
#include "support/interruption.h"
#include "trace/hash.h"
#include "trace/names.h"

namespace heddle {
namespace {

using Clock = std::chrono::steady_clock;
using trace::OutcomeKind;
using namespace trace::request_flag;

// Of the further execution that is observed. Those of a trial count from 1.
constexpr uint64_t kFurtherSeed = 0x5eed;

// Of a test that ended with exit code 0, but did not do what its suite wants of it.
Finding unexpected_end(const std::string& why) {
  Finding finding;
  finding.kind = trace::to_text(OutcomeKind::kExitCode);
  finding.message = why;
  finding.identity = {"code 0", why};
  finding.fingerprint = fmt::format("{:016x}", trace::fnv1a(finding.kind + '\n' + why));
  return finding;
}

bool has_passed(const SuiteTest& test, const Execution& execution) {
  const OutcomeKind kind = execution.outcome.kind;
  return (kind == OutcomeKind::kOk || kind == OutcomeKind::kExitCode) &&
         judge_end(test, execution.outcome.exit_code, execution.out + execution.err).passed;
}

}  // namespace

TestTrial::TestTrial(const SuiteTest& test, TrialOptions options, Suppressions& suppressions,
                     Symbolizer& symbolizer)
    : test_(test), options_(std::move(options)), suppressions_(suppressions), symbolizer_(symbolizer) {
  request_.flags = kRecordEvents | kRecordChoices;
  if (options_.detects) request_.flags |= kDetectRaces;
  request_.timeout = test.timeout ? std::min<std::chrono::milliseconds>(*test.timeout, options_.test_timeout)
                                  : options_.test_timeout;
}

// What has been learned of the test holds for every server of it.
Expected<ForkServer> TestTrial::start() {
  Expected<ForkServer> server = ForkServer::start(test_.command);
  if (!server || has_begun() || !options_.detects) {
    if (server) server->add_points(points_);
    return server;
  }
  LearningOptions learning;
  learning.flags = kDetectRaces;
  learning.timeout = request_.timeout;
  learning.quiet_executions = options_.quiet_executions;
  const Expected<LearningResult> learned = learn_points(*server, learning);
  if (!learned) return tl::unexpected(learned.error());
  trial_.learning_executions = learned->executions;
  points_ = server->points();
  return server;
}

Expected<void> TestTrial::execute_first(ForkServer& server) {
  request_.policy.kind = trace::PolicyKind::kNonpreemptive;
  if (options_.observe) request_.flags |= kCoverage;
  const auto started = Clock::now();
  const Expected<Execution> first = server.run(request_);
  if (was_interrupted()) return {};
  if (!first) return tl::unexpected(first.error());
  if (options_.observe) options_.observe({*first, Clock::now() - started, server.binary()});
  has_threads_ = first->threads_created > 0;
  look_at(server, request_, *first);
  request_.policy.kind = trace::PolicyKind::kRandom;
  if (options_.observe && has_threads_ && trial_.trouble.empty()) observe_further(server);
  request_.flags &= ~kCoverage;
  return {};
}

// For the record only: what it shows beside is found by those who look for it.
void TestTrial::observe_further(ForkServer& server) {
  ExecutionRequest request = request_;
  request.policy.seed = kFurtherSeed;
  const auto started = Clock::now();
  const Expected<Execution> further = server.run(request);
  if (!further || was_interrupted()) return;
  const OutcomeKind kind = further->outcome.kind;
  if (kind == OutcomeKind::kKilled || kind == OutcomeKind::kInternal) return;
  options_.observe({*further, Clock::now() - started, server.binary(), /*is_further=*/true});
}

// Recording would cost more than all the rest. A failure is executed again, which is the same execution, to
// see how it came about.
Expected<void> TestTrial::execute_plainly(ForkServer& server) {
  ExecutionRequest request = request_;
  request.policy.kind = trace::PolicyKind::kNonpreemptive;
  request.flags = 0;
  // As outside heddle, it may take as many as it likes; what does not end is seen by the clock.
  request.max_steps = uint64_t{1} << 62;
  Expected<Execution> execution = server.run(request);
  if (execution && !has_passed(test_, *execution) && !was_interrupted()) {
    request.flags = request_.flags;
    execution = server.run(request);
  }
  if (was_interrupted()) return {};
  if (!execution) return tl::unexpected(execution.error());
  look_at(server, request, *execution);
  return {};
}

Expected<void> TestTrial::verify(Clock::time_point deadline) {
  if (verification_ == nullptr) {
    verification_ = std::make_unique<Verification>(
        test_, request_.timeout, suppressions_, symbolizer_,
        Verification::Listener{.is_found = [this](const Finding& finding) { return is_known(finding); },
                               .shown =
                                   [this](ForkServer& server, const trace::Schedule& schedule, uint32_t flags,
                                          Confirmation confirmation) {
                                     return execute_shown(server, schedule, flags, confirmation);
                                   }});
  }
  Expected<void> verified = verification_->run(points_, deadline);
  trial_.verifying_executions = verification_->executions();
  return verified;
}

Expected<void> TestTrial::execute_shown(ForkServer& server, const trace::Schedule& schedule, uint32_t flags,
                                        Confirmation confirmation) {
  ExecutionRequest request = request_;
  request.schedule = &schedule;
  request.policy = schedule.then;
  request.flags = flags | kDetectRaces;
  const Expected<Execution> execution = server.run(request);
  if (was_interrupted()) return {};
  if (!execution) return tl::unexpected(execution.error());
  look_at(server, request, *execution, confirmation);
  return {};
}

bool TestTrial::is_known(const Finding& finding) const {
  return known_.contains(sameness_of(finding, {}, options_.renamed));
}

Expected<void> TestTrial::run_to(uint64_t seeds, Clock::time_point deadline) {
  if (is_over() || was_interrupted()) return {};
  const auto started = Clock::now();
  Expected<ForkServer> server = start();
  if (was_interrupted()) return {};  // whatever an execution came to, it was heddle that ended it
  if (!server) {
    trial_.trouble = server.error().message;
    return {};
  }
  if (!has_begun()) {
    const Expected<void> executed = options_.detects ? execute_first(*server) : execute_plainly(*server);
    if (!executed) return executed;
  }
  const auto is_verified = [&] {
    return !options_.verifies || !has_threads_ || (verification_ != nullptr && verification_->is_done());
  };
  if (!is_verified() && trial_.trouble.empty() && Clock::now() < deadline && !was_interrupted()) {
    if (const Expected<void> verified = verify(deadline); !verified) return verified;
  }
  while (seeds_done_ < std::min(seeds, options_.seeds) && trial_.trouble.empty() && !was_interrupted() &&
         Clock::now() < deadline) {
    request_.policy.seed = seeds_done_ + 1;
    const Expected<Execution> execution = server->run(request_);
    if (was_interrupted()) break;
    if (!execution) return tl::unexpected(execution.error());
    look_at(*server, request_, *execution);
    ++seeds_done_;
  }
  trial_.complete = has_begun() && seeds_done_ == options_.seeds && is_verified() && trial_.trouble.empty();
  trial_.seconds += std::chrono::duration<double>(Clock::now() - started).count();
  return {};
}

void TestTrial::look_at(const ForkServer& server, const ExecutionRequest& request, const Execution& execution,
                        Confirmation confirmation) {
  ++trial_.executions;
  const OutcomeKind kind = execution.outcome.kind;
  if (kind == OutcomeKind::kKilled || kind == OutcomeKind::kInternal) {
    trial_.trouble = execution.outcome.message;
    return;
  }
  EndVerdict verdict;
  if (kind == OutcomeKind::kOk || kind == OutcomeKind::kExitCode)
    verdict = judge_end(test_, execution.outcome.exit_code, execution.out + execution.err);
  std::vector<Finding> findings;
  if (kind != OutcomeKind::kExitCode || !verdict.passed)
    findings = make_findings(execution.trace, symbolizer_, &suppressions_);
  if (kind == OutcomeKind::kOk && !verdict.passed) findings.push_back(unexpected_end(verdict.why));
  if (findings.empty() && execution.failed() && !verdict.passed) ++trial_.suppressed;
  // A test that fails in another way may have failed like that before, and its races are new.
  if (options_.detects && kind != OutcomeKind::kRace && kind != OutcomeKind::kUseAfterFree) {
    for (Finding& race : make_race_findings(execution.trace, symbolizer_, &suppressions_))
      findings.push_back(std::move(race));
  }
  for (Finding& finding : findings) {
    finding.confirmation = confirmation;
    add(finding, server, request, execution);
  }
  copy_.reset();
  if (executed_) executed_();
}

// Findings of one execution share its trace.
void TestTrial::keep_example(TrialFinding* found, const ForkServer& server, const ExecutionRequest& request,
                             const Execution& execution) {
  if (!copy_) copy_ = execution.trace.clone();
  found->has_example = true;
  found->schedule = server.schedule_of(request, execution);
  found->execution = execution;
  found->execution.trace = *copy_;
  found->execution.learned = {};
}

void TestTrial::add(const Finding& finding, const ForkServer& server, const ExecutionRequest& request,
                    const Execution& execution) {
  FailureWords words;
  if (finding.kind == "exit-code")
    words = failure_words(execution.out, execution.err, test_.command.directory);
  const std::string sameness = sameness_of(finding, words, options_.renamed);
  // What a test says of a failure whose place it does not name may be another thing each time.
  const bool has_place = finding.kind != "exit-code" || !words.assertion.empty();
  const auto [entry, is_new] =
      known_.try_emplace(has_place ? sameness : finding.fingerprint, trial_.findings.size());
  if (is_new) {
    TrialFinding& found = trial_.findings.emplace_back();
    found.finding = finding;
    found.finding.executions_to_find = trial_.executions;
    found.words = std::move(words);
    found.sameness = sameness;
    if (!options_.wants_example || options_.wants_example(found))
      keep_example(&found, server, request, execution);
  }
  // Several pairs of one execution may be the same finding.
  TrialFinding& found = trial_.findings[entry->second];
  if (found.last_execution != trial_.executions) ++found.occurrences;
  found.last_execution = trial_.executions;
}

Expected<Trial> try_test(const SuiteTest& test, const TrialOptions& options, Suppressions& suppressions,
                         Symbolizer& symbolizer) {
  TestTrial trial(test, options, suppressions, symbolizer);
  if (const Expected<void> tried = trial.run_to(options.seeds, Clock::time_point::max()); !tried)
    return tl::unexpected(tried.error());
  return trial.take();
}

}  // namespace heddle
