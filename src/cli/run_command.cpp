#include "cli/run_command.h"

#include <algorithm>
#include <memory>
#include <optional>

#include <fmt/format.h>

#include "cli/analysis_report.h"
#include "cli/command_line.h"
#include "cli/outcome_output.h"
#include "report/run_result.h"
#include "report/text.h"
#include "trace/policy.h"
#include "trace/trace_file.h"

namespace heddle {
namespace {

// Random policies without a seed still do the same every time.
constexpr uint64_t kDefaultSeed = 1;

Expected<trace::PolicySpec> policy_of(const RunOptions& options) {
  Expected<trace::PolicySpec> policy = trace::parse_policy(options.policy);
  if (!policy) return policy;
  if (trace::is_guided(policy->kind)) {
    return usage_error(fmt::format(
        "policy {0} needs what earlier executions have shown: use `heddle explore --strategy {0}`",
        trace::policy_name(*policy)));
  }
  const bool names_seed = options.policy.find("seed") != std::string::npos;
  if (options.seed || !names_seed) policy->seed = options.seed.value_or(kDefaultSeed);
  return policy;
}

// Makes the points known: those that the schedule carries, else those that learning finds.
Expected<LearningResult> find_points(ForkServer& server, const RunOptions& options,
                                     const ExecutionRequest& request) {
  if (request.schedule != nullptr) {
    server.add_points(request.schedule->points);
    return LearningResult{.settled = true};
  }
  if (options.no_learn) return LearningResult{.settled = true};
  LearningOptions learning;
  learning.flags =
      request.flags & (trace::request_flag::kNoSpinParking | trace::request_flag::kOsThreads |
                       trace::request_flag::kTimeoutsWhenIdle | trace::request_flag::kDetectRaces);
  learning.injection = request.injection;
  learning.max_steps = std::min(request.max_steps, trace::kDefaultMaxSteps);
  learning.timeout = request.timeout;
  return learn_points(server, learning);
}

Expected<PreparedRun> prepare(const RunOptions& options, const trace::PolicySpec& policy,
                              const std::vector<std::string>& words) {
  const auto started = std::chrono::steady_clock::now();
  Injection injection;
  if (options.inject) {
    const Expected<Injection> parsed = parse_injection(*options.inject);
    if (!parsed) return tl::unexpected(parsed.error());
    injection = *parsed;
  }
  std::unique_ptr<const trace::Schedule> schedule;
  if (!options.schedule.empty()) {
    Expected<trace::Schedule> read = trace::read_schedule_file(options.schedule);
    if (!read) return tl::unexpected(read.error());
    schedule = std::make_unique<const trace::Schedule>(std::move(*read));
  }
  Expected<ForkServerOptions> server_options = options.test.server_options();
  if (!server_options) return tl::unexpected(server_options.error());
  Expected<ForkServer> server = ForkServer::start({.argv = words}, std::move(*server_options));
  if (!server) return tl::unexpected(server.error());
  if (schedule && !options.force) {
    const Expected<void> fits =
        check_schedule_fits(*schedule, options.schedule, server->command(), server->binary());
    if (!fits) return tl::unexpected(fits.error());
  }

  ExecutionRequest request;
  request.schedule = schedule.get();
  request.policy = policy;
  request.flags = options.test.request_flags();
  if (schedule && schedule->detects_races) request.flags |= trace::request_flag::kDetectRaces;
  if (options.no_spin_parking) request.flags |= trace::request_flag::kNoSpinParking;
  if (options.timeouts == "idle") request.flags |= trace::request_flag::kTimeoutsWhenIdle;
  request.injection = injection;
  request.max_steps = options.max_steps;
  request.timeout = options.test.timeout();
  const Expected<LearningResult> learning = find_points(*server, options, request);
  if (!learning) return tl::unexpected(learning.error());
  request.pct_length = learning->longest_steps;
  return PreparedRun{std::move(schedule), std::move(*server), request, *learning, started};
}

void say_how_it_went(const RunOptions& options, const Execution& execution, const PreparedRun& run) {
  if (execution.server_restarted) say("the process that serves executions had died and was started again");
  say_what_was_not_controlled(execution);
  if (execution.failed()) return;
  say_if_not_settled(run.learning);
  say(fmt::format("ok: {}, {}, policy {}, {} learning executions", count_of(execution.steps(), "step"),
                  count_of(execution.threads_created + 1, "thread"), trace::print_policy(run.request.policy),
                  run.learning.executions));
  if (!options.seed && trace::uses_seed(run.request.policy.kind) && execution.threads_created > 0) {
    say("that was one schedule; --seeds 1-1000 tries a thousand");
  }
}

RunResult result_of(const Execution& execution, const PreparedRun& run) {
  RunResult result;
  result.command = "run";
  result.seconds = run.seconds();
  result.executions = 1;
  result.learning_executions = run.learning.executions;
  result.complete = true;
  result.own["policy"] = trace::print_policy(run.request.policy);
  result.own["steps"] = execution.steps();
  result.own["threads_created"] = execution.threads_created;
  return result;
}

Expected<int> run_once(const RunOptions& options, const Reports& reports, PreparedRun& run) {
  run.server.pass_output_through(true);
  const Expected<Execution> execution = run.server.run(run.request);
  if (!execution) return tl::unexpected(execution.error());
  if (!options.test.record.empty()) {
    const Expected<void> written = trace::write_trace(options.test.record, execution->trace);
    if (!written) return tl::unexpected(written.error());
  }
  if (const Expected<void> seen = check_seen_to_the_end(*execution); !seen)
    return tl::unexpected(seen.error());
  say_how_it_went(options, *execution, run);
  if (!execution->divergence.empty()) {
    say(fmt::format("schedule {} was left to the policy: {}", options.schedule, execution->divergence));
  }

  RunResult result = result_of(*execution, run);
  const std::unique_ptr<Symbolizer> symbolizer = make_symbolizer();
  Expected<Suppressions> suppressions = options.test.read_suppressions();
  if (!suppressions) return tl::unexpected(suppressions.error());
  std::string schedule;  // shows all of them
  for (Finding& finding : make_findings(execution->trace, *symbolizer, &*suppressions)) {
    finding.executions_to_find = 1;
    if (schedule.empty()) {
      const Expected<std::string> file =
          write_finding_schedule(run.server.schedule_of(run.request, *execution), finding, options.output);
      if (!file) return tl::unexpected(file.error());
      schedule = *file;
    }
    finding.schedule = schedule;
    print_report(&finding, *execution, *symbolizer, reports.evidence());
    result.findings.push_back(std::move(finding));
  }
  const uint64_t suppressed = execution->failed() && result.findings.empty() ? 1 : 0;
  result.own["suppressed"] = suppressed;
  say_suppressed(suppressed);
  say_unused(*suppressions, options.test.suppressions);
  if (result.findings.empty() && !options.output.empty() && !names_folder(options.output)) {
    const Expected<void> written =
        trace::write_schedule_file(options.output, run.server.schedule_of(run.request, *execution));
    if (!written) return tl::unexpected(written.error());
  }
  if (const Expected<void> written = reports.write(result); !written) return tl::unexpected(written.error());
  return result.findings.empty() ? exit_code::kClean : exit_code::kFindings;
}

Expected<int> run(const RunOptions& options, const std::vector<std::string>& words) {
  const Expected<trace::PolicySpec> policy = policy_of(options);
  if (!policy) return tl::unexpected(policy.error());
  std::optional<SeedRange> seeds;
  if (!options.seeds.empty()) {
    const Expected<SeedRange> parsed = parse_seeds(options.seeds);
    if (!parsed) return tl::unexpected(parsed.error());
    seeds = *parsed;
    if (const Expected<void> fits = check_seeds_options(options, *policy); !fits)
      return tl::unexpected(fits.error());
  }
  const Expected<Reports> reports = Reports::open(options.test.report);
  if (!reports) return tl::unexpected(reports.error());
  Expected<PreparedRun> prepared = prepare(options, *policy, words);
  if (!prepared) return tl::unexpected(prepared.error());
  return seeds ? run_with_seeds(options, *seeds, *reports, *prepared)
               : run_once(options, *reports, *prepared);
}

}  // namespace

void say_if_not_settled(const LearningResult& learning) {
  if (!learning.settled) {
    say("shared locations did not settle while learning; there may be more to switch at than was known");
  }
}

void add_run_command(CLI::App& app, Invocation& invocation) {
  CLI::App* command = app.add_subcommand(
      "run", "execute a test under a controlled schedule: heddle run [options] -- PROGRAM [arguments]");
  auto options = std::make_shared<RunOptions>();
  command->add_option("--policy", options->policy, "who runs next: " + trace::list_policies())
      ->capture_default_str();
  CLI::Option* seed =
      command
          ->add_option("--seed", options->seed, fmt::format("seed of the random policies [{}]", kDefaultSeed))
          ->check(whole_number());
  CLI::Option* seeds = command
                           ->add_option("--seeds", options->seeds,
                                        "execute with every seed from FIRST to LAST, until one fails")
                           ->option_text("FIRST-LAST")
                           ->excludes(seed);
  command
      ->add_flag("--keep-going", options->keep_going,
                 "with --seeds: execute all of them, and report every distinct failure once")
      ->needs(seeds);
  command->add_option("--schedule", options->schedule,
                      "follow this schedule file first, with the points it carries");
  command->add_flag("--force", options->force,
                    "follow the schedule although it is for another build or test");
  command->add_option("--output", options->output, "file for the schedule, or folder for that of a failure");
  command->add_option("--max-steps", options->max_steps, "scheduling steps after which it is a livelock")
      ->capture_default_str()
      ->check(whole_number(1));
  command
      ->add_option("--timeouts", options->timeouts,
                   "when the random policies end timed waits: at `any` moment, or when all are `idle`")
      ->capture_default_str()
      ->check(CLI::IsMember({"any", "idle"}));
  command->add_flag("--no-learn", options->no_learn, "do not learn first which memory is shared");
  command->add_flag("--no-spin-parking", options->no_spin_parking, "let threads that wait in a loop run on");
  command
      ->add_option(
          "--inject", options->inject,
          "let what may go wrong go wrong, one time in N: wakeups[:N] (spurious ones), allocations[:N]")
      ->option_text("LIST");
  add_detect_option(*command, options->test);
  add_test_options(*command, options->test);
  add_suppressions_option(*command, options->test);
  command->callback([&invocation, options] {
    invocation.action = [&invocation, options]() -> Expected<int> {
      const Expected<std::vector<std::string>> words = test_words(invocation, "run");
      if (!words) return tl::unexpected(words.error());
      return run(*options, *words);
    };
  });
}

}  // namespace heddle
