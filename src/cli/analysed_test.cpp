#include "cli/analysed_test.h"

#include <algorithm>
#include <iostream>

#include <fmt/format.h>

#include "cli/budget.h"
#include "cli/outcome_output.h"
#include "report/text.h"
#include "trace/policy.h"
#include "trace/std_text.h"
#include "trace/trace_file.h"

namespace heddle {
namespace {

// Half a gigabyte if all are used; what is not used costs nothing.
constexpr uint64_t kEventCapacity = uint64_t{1} << 24;

uint32_t execution_flags(const AnalysisOptions& options) {
  return options.test.backend == "os" ? trace::request_flag::kOsThreads : 0;
}

// A trace of another program or input predicts what this test may not be able to do. It is tried all the
// same: where it cannot be followed is told of each prediction.
void warn_of_another_test(const trace::Trace& trace, const std::string& file, const ForkServer& server) {
  if (trace.choices().empty()) {
    say(fmt::format(
        "warning: {} does not say how it was scheduled, so what it predicts can hardly be executed; "
        "`heddle predict --record` makes traces that do",
        file));
  }
  const std::string_view recorded = trace.modules().empty() || trace::is_from_std_text(trace)
                                        ? std::string_view()
                                        : trace.string(trace.modules()[0].build_id);
  const std::string& build_id = server.binary().build_id;
  if (!recorded.empty() && recorded != build_id) {
    say(fmt::format(
        "warning: {} was recorded from another build of {} (build-id {}, and this one has {}): what it "
        "predicts may not be executable",
        file, server.binary().path, recorded, build_id.empty() ? "none" : build_id));
  }
  const std::vector<std::string>& then = trace.command();
  const std::vector<std::string>& now = server.command().argv;
  if (!then.empty() && !std::equal(then.begin() + 1, then.end(), now.begin() + 1, now.end())) {
    say(fmt::format("warning: {} was recorded from the test `{}`, and this is `{}`", file,
                    fmt::join(then, " "), fmt::join(now, " ")));
  }
}

}  // namespace

Expected<std::unique_ptr<AnalysedTest>> AnalysedTest::start(const AnalysisOptions& options,
                                                            const std::vector<std::string>& words,
                                                            AnalysisReport& report) {
  std::optional<History> history;
  if (!options.no_confirm) {
    Expected<std::optional<History>> opened = options.store.open();
    if (!opened) return tl::unexpected(opened.error());
    history = std::move(*opened);
  }
  Expected<ForkServerOptions> server_options = options.test.server_options();
  if (!server_options) return tl::unexpected(server_options.error());
  server_options->arena.event_capacity = kEventCapacity;
  Expected<ForkServer> server = ForkServer::start({.argv = words}, std::move(*server_options));
  if (!server) return tl::unexpected(server.error());
  std::unique_ptr<AnalysedTest> test(new AnalysedTest(std::move(*server), report));
  test->confirms_ = !options.no_confirm;
  test->memory_ = VerdictMemory(std::move(history), {.test = test->server_.command(),
                                                     .build = identify_build(test->server_.binary()),
                                                     .input = options.test.input,
                                                     .verifies_again = options.verify_again});
  return test;
}

Expected<std::unique_ptr<AnalysedTest>> AnalysedTest::record(const AnalysisOptions& options,
                                                             const std::vector<std::string>& words,
                                                             AnalysisReport& report) {
  Expected<trace::PolicySpec> policy = trace::parse_policy(options.policy);
  if (!policy) return tl::unexpected(policy.error());
  policy->seed = options.seed;
  Expected<std::unique_ptr<AnalysedTest>> started = start(options, words, report);
  if (!started) return started;
  std::unique_ptr<AnalysedTest> test = std::move(*started);
  RecordingOptions recording{.policy = *policy,
                             .flags = execution_flags(options),
                             .max_steps = options.max_steps,
                             .timeout = options.test.timeout()};
  Expected<Recording> recorded = record_test(test->server_, recording);
  if (!recorded) return tl::unexpected(recorded.error());
  test->recording_ = std::move(*recorded);
  test->recorded_here_ = true;
  if (!options.test.record.empty()) {
    const Expected<void> written = trace::write_trace(options.test.record, test->trace());
    if (!written) return tl::unexpected(written.error());
  }
  say_what_was_not_controlled(test->recording_.execution);
  if (test->trace().events_lost() > 0) {
    say(fmt::format("the execution has more events than fit: the last {} are not looked at",
                    test->trace().events_lost()));
  }
  if (const Expected<void> told = tell_own_failure(test->recording_, test->server_, report); !told)
    return tl::unexpected(told.error());
  if (const Expected<void> begun = test->begin_budget(options); !begun) return tl::unexpected(begun.error());
  return test;
}

Expected<std::unique_ptr<AnalysedTest>> AnalysedTest::over(const AnalysisOptions& options,
                                                           const trace::Trace& trace,
                                                           const std::vector<std::string>& words,
                                                           AnalysisReport& report) {
  Expected<std::unique_ptr<AnalysedTest>> started = start(options, words, report);
  if (!started) return started;
  std::unique_ptr<AnalysedTest> test = std::move(*started);
  if (test->confirms_) warn_of_another_test(trace, options.file, test->server_);
  test->server_.add_points(trace.points());
  using namespace trace::request_flag;
  test->recording_.execution.trace = trace;
  test->recording_.request.flags = execution_flags(options) | kRecordShared | kRecordEvents | kRecordChoices;
  test->recording_.request.max_steps = options.max_steps;
  test->recording_.request.timeout = options.test.timeout();
  if (const Expected<void> begun = test->begin_budget(options); !begun) return tl::unexpected(begun.error());
  return test;
}

Expected<void> AnalysedTest::begin_budget(const AnalysisOptions& options) {
  const Expected<std::chrono::milliseconds> budget = parse_budget(options.budget);
  if (!budget) return tl::unexpected(budget.error());
  deadline_ = std::chrono::steady_clock::now() + *budget;
  return {};
}

Expected<Confirmer*> AnalysedTest::confirmer() {
  if (!confirmer_) confirmer_.emplace(server_, recording_, recorded_here_);
  return confirmer_->get();
}

Expected<std::optional<Confirmed>> AnalysedTest::tell_known(const std::string& fingerprint,
                                                            ReportContext& context, FailureStory story,
                                                            ToldFinding told) {
  const Expected<std::optional<VerdictMemory::Known>> known = memory_.recall(fingerprint);
  if (!known) return tl::unexpected(known.error());
  if (!*known) return std::nullopt;
  told.confirmation = to_confirmation((*known)->confirmed);
  told.confirmed_earlier = true;
  told.notes = {(*known)->note};
  told.schedule = &(*known)->schedule;
  const Expected<void> done = report_.tell(context, std::move(story), told);
  if (!done) return tl::unexpected(done.error());
  return (*known)->confirmed;
}

Expected<void> tell_own_failure(const Recording& recording, const ForkServer& server,
                                FindingListener& listener) {
  const Execution& execution = recording.execution;
  if (const Expected<void> seen = check_seen_to_the_end(execution); !seen) return seen;
  if (!execution.failed()) return {};
  ReportContext context(execution.trace, listener.symbolizer(), listener.directory());
  std::optional<FailureStory> story = tell_failure(context);
  if (!story || !listener.news(context, *story, execution.outcome.kind)) return {};
  std::cout << execution.out << std::flush;
  std::cerr << execution.err << std::flush;
  const trace::Schedule schedule = server.schedule_of(recording.request, execution);
  return listener.tell(
      context, std::move(*story),
      {.kind = execution.outcome.kind,
       .confirmation = Confirmation::kExecuted,
       .notes = {"this is the execution that was recorded; it needs no other schedule to fail"},
       .schedule = &schedule,
       .executions = 1});
}

Prophecies::Options prophecy_options(const AnalysisReport& report, Progress& progress, bool lists_all) {
  return {.lists_all = lists_all, .looking = [&](size_t done, size_t all) {
            progress.update([&] {
              return fmt::format("{} of {} predictions looked into, {}", done, all,
                                 count_of(report.findings().size(), "finding"));
            });
          }};
}

Suspects::Options suspect_options(const AnalysisReport& report, Progress& progress, bool lists_all) {
  return {.lists_all = lists_all,
          .trying =
              [&](uint64_t suspicions, uint64_t executions) {
                progress.update([&] {
                  return fmt::format("{} tried in {} executions, {}", count_of(suspicions, "suspicion"),
                                     executions, count_of(report.findings().size(), "finding"));
                });
              },
          .tried = [&] { progress.clear(); }};
}

bool has_failures(const std::vector<Finding>& findings, bool confirms) {
  return std::any_of(findings.begin(), findings.end(), [&](const Finding& finding) {
    return finding.status != FindingStatus::kKnown &&
           (!confirms || is_shown(finding.kind, finding.confirmation));
  });
}

Expected<int> finish_analysis(const Reports& reports, const RunResult& result, bool confirms) {
  if (const Expected<void> written = reports.write(result); !written) return tl::unexpected(written.error());
  return has_failures(result.findings, confirms) ? exit_code::kFindings : exit_code::kClean;
}

void add_analysis_options(CLI::App& command, AnalysisOptions& options) {
  command.add_option("FILE", options.file, "a trace, heddle's own or std text; - for the standard input");
  command.add_option("--policy", options.policy, "of the execution that is recorded")->capture_default_str();
  command.add_option("--seed", options.seed, "of that policy")->check(whole_number());
  command.add_option("--budget", options.budget, "stop executing after this time: 500ms, 60s, 5m")
      ->capture_default_str();
  command.add_option("--output", options.output, "file for the schedule, or folder for those of findings");
  CLI::Option* confirm = command.add_flag("--confirm", options.confirm,
                                          "execute what was found (default if the test's command is given)");
  command.add_flag("--no-confirm", options.no_confirm, "do not")->excludes(confirm);
  command.add_flag("--verify-again", options.verify_again,
                   "execute also what an earlier run of this build has confirmed");
  command.add_flag("--all", options.all, "also list what was executed without harm or could not be executed");
  command.add_option("--max-steps", options.max_steps, "scheduling steps after which it is a livelock")
      ->capture_default_str()
      ->check(whole_number(1));
  add_store_options(command, options.store);
  add_test_options(command, options.test);
  add_suppressions_option(command, options.test);
}

}  // namespace heddle
