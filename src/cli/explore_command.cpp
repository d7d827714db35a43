// `heddle explore`: search the schedules of one test.
#include <fstream>
#include <iostream>
#include <memory>
#include <optional>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli/analysis_report.h"
#include "cli/budget.h"
#include "cli/command_line.h"
#include "cli/outcome_output.h"
#include "cli/progress.h"
#include "cli/store_options.h"
#include "cli/test_options.h"
#include "explore/determinism.h"
#include "explore/session.h"
#include "report/finding_tally.h"
#include "report/run_result.h"
#include "report/text.h"
#include "support/interruption.h"

namespace heddle {
namespace {

struct ExploreOptions {
  TestOptions test;
  std::string strategy = "auto";
  std::string budget = "60s";
  std::optional<uint64_t> max_executions;
  bool keep_going = false;
  uint32_t jobs = 1;
  uint64_t seed = 1;
  uint64_t learning_runs = 0;
  std::string on_divergence = "stop";
  std::string output;
  uint64_t max_steps = trace::kDefaultMaxSteps;
  bool no_spin_parking = false;
  bool no_minimize = false;
  std::optional<std::string> inject;
  std::string prefer;
  StoreOptions store;
};

// Shows what is found as it comes.
class Listener final : public SessionListener {
 public:
  Listener(const ExploreOptions& options, const Reports& reports, Suppressions suppressions)
      : options_(options),
        reports_(reports),
        symbolizer_(make_symbolizer()),
        suppressions_(std::move(suppressions)) {}

  std::string fingerprint(const Execution& execution) override {
    const std::optional<Finding> finding = make_finding(execution.trace, *symbolizer_, &suppressions_);
    return finding ? finding->fingerprint : "";
  }

  Expected<void> on_first_execution(const Execution& execution) override {
    say_what_was_not_controlled(execution);
    return check_seen_to_the_end(execution);
  }

  Expected<void> on_failure(const Failure& failure) override {
    std::optional<Finding> made = make_finding(failure.execution.trace, *symbolizer_, &suppressions_);
    if (!made) return {};
    Finding* finding = tally_.add(std::move(*made));
    if (finding == nullptr) return {};
    finding->executions_to_find = failure.executions_to_find;
    const Expected<std::string> file = write_finding_schedule(
        failure.server.schedule_of(failure.request, failure.execution), *finding, options_.output);
    if (!file) return tl::unexpected(file.error());
    finding->schedule = *file;
    progress_.clear();
    std::cout << failure.execution.out << std::flush;
    std::cerr << failure.execution.err << std::flush;
    tell_how_found(failure);
    print_report(finding, failure.execution, *symbolizer_, reports_.evidence());
    return {};
  }

  void on_known_failure(const std::string& fingerprint) override { tally_.count_again(fingerprint); }

  void on_divergence(const trace::Trace& first, const trace::Trace& second) override {
    progress_.clear();
    say(fmt::format("the test is not deterministic: two executions of one schedule differ at {}",
                    describe_difference(first, second, *symbolizer_).value_or("no recorded event")));
  }

  void on_trouble(const std::string& text) override {
    progress_.clear();
    say(text);
  }

  void on_progress(const SessionStatus& status) override {
    progress_.update([&] {
      std::string text = fmt::format("{} executions, {:.0f} a second, {} shared locations", status.executions,
                                     static_cast<double>(status.executions) / std::max(status.seconds, 0.001),
                                     status.points);
      if (status.coverage != 0) text += fmt::format(", {} orders seen", status.coverage);
      text += ", " + count_of(tally_.findings().size(), "finding");
      if (status.seconds_left) text += fmt::format(", {:.0f} s left", *status.seconds_left);
      return text;
    });
  }

  void finish() { progress_.clear(); }
  const FindingTally& tally() const { return tally_; }
  const Suppressions& suppressions() const { return suppressions_; }

 private:
  void tell_how_found(const Failure& failure) const {
    if (failure.by_default_schedule) {
      say("the test needs no exploration to fail: it fails under the default schedule");
      return;
    }
    std::string text = fmt::format("execution {} fails", failure.executions_to_find);
    if (failure.preemptions)
      text += fmt::format("; the smallest schedule found that shows it has {}",
                          count_of(*failure.preemptions, "preemption"));
    if (!failure.reproduced) text += "; executed again under the same schedule it did not";
    say(text);
  }

  const ExploreOptions& options_;
  const Reports& reports_;
  std::unique_ptr<Symbolizer> symbolizer_;
  Suppressions suppressions_;
  Progress progress_;
  FindingTally tally_;
};

std::string describe_end(const SessionResult& result, const ExploreOptions& options) {
  switch (result.end) {
    case SessionEnd::kSearchIsOver:
      return "nothing is left to try";
    case SessionEnd::kFailure:
      return "stopped at the first failure (--keep-going goes on)";
    case SessionEnd::kBudget:
      return fmt::format("stopped when the budget of {} was spent", options.budget);
    case SessionEnd::kMaxExecutions:
      return "stopped at --max-executions";
    case SessionEnd::kInterrupted:
      return "interrupted";
    case SessionEnd::kError:
      return "stopped by an error";
    case SessionEnd::kNotDeterministic:
      return "stopped since the test is not deterministic (--on-divergence continue goes on)";
  }
  return "";
}

std::string describe_findings(const SessionResult& result, const FindingTally& tally) {
  if (!tally.findings().empty()) return count_of(tally.findings().size(), "finding");
  return result.suppressed_executions > 0 ? "no failure that is not suppressed" : "no failure";
}

void say_result(const SessionResult& result, const FindingTally& tally, const ExploreOptions& options) {
  const std::string found = describe_findings(result, tally);
  const Claim& claim = result.claim;
  if (claim.complete) {
    say(fmt::format("complete: {}; {} executed: {}", found, count_of(claim.interleavings, "interleaving"),
                    claim.meaning));
    say("that holds for this input, sequentially consistent memory, the shared locations that were seen, and "
        "without spurious wake-ups (docs/explore.md)");
    return;
  }
  if (result.executions == 0 && result.end == SessionEnd::kFailure) {
    say(found + " before the exploration began (--keep-going explores nevertheless)");
    return;
  }
  say(fmt::format("{} in {} of strategy {} (and {} before, to get to know the test), {}", found,
                  count_of(result.executions, "execution"), options.strategy, result.learning_executions,
                  describe_end(result, options)));
  if (result.may_hang)
    say("the last execution had run far longer than others then; if it hangs, a --timeout shorter than the "
        "budget tells");
  if (result.end != SessionEnd::kSearchIsOver) return;
  say(result.doubt.empty() ? "it executed " + claim.meaning + ", and does not claim to be complete"
                           : "not complete: " + result.doubt);
}

// Of what `heddle impact --json` has written: the places of the events that are impacted.
Expected<PreferredLines> read_preferred(const std::string& file) {
  PreferredLines lines;
  std::ifstream in(file);
  const nlohmann::json result = nlohmann::json::parse(in, nullptr, /*allow_exceptions=*/false);
  if (result.is_object() && result.contains("impacted") && result["impacted"].is_array()) {
    for (const nlohmann::json& event : result["impacted"]) {
      const nlohmann::json site = event.value("site", nlohmann::json::object());
      if (site.contains("file") && site["file"].is_string() && site.value("line", 0u) != 0)
        lines.add(site["file"], site["line"]);
    }
    if (lines.empty()) return usage_error(fmt::format("{} names no impacted event: nothing to prefer", file));
    return lines;
  }
  return usage_error(fmt::format("{} is no result of `heddle impact --json`", file));
}

// What the options say about each other.
Expected<void> check_options(const ExploreOptions& options, const StrategySpec& strategy) {
  if (options.jobs > 1 && is_one_search(strategy.kind)) {
    return usage_error(fmt::format(
        "{} is one search, in which each step depends on the ones before: --jobs is for auto and the random "
        "strategies",
        options.strategy));
  }
  if (!options.test.record.empty()) {
    return usage_error(
        "--record is for one execution; `heddle replay --record FILE` records a failure that was found");
  }
  if (!options.prefer.empty() && !takes_preferences(strategy.kind))
    return usage_error(
        fmt::format("{} prefers nothing: --prefer is for auto, pcb:K and surw", options.strategy));
  return check_output_for_many(options.output, options.keep_going);
}

Expected<int> explore(const ExploreOptions& options, const std::vector<std::string>& words) {
  const auto started = std::chrono::steady_clock::now();
  const Expected<Reports> reports = Reports::open(options.test.report);
  if (!reports) return tl::unexpected(reports.error());
  SessionOptions session;
  const Expected<StrategySpec> strategy = parse_strategy(options.strategy);
  if (!strategy) return tl::unexpected(strategy.error());
  session.strategy = *strategy;
  const Expected<std::chrono::milliseconds> budget = parse_budget(options.budget);
  if (!budget) return tl::unexpected(budget.error());
  session.budget = *budget;
  if (const Expected<void> checked = check_options(options, *strategy); !checked)
    return tl::unexpected(checked.error());
  if (options.learning_runs != 0 && strategy->kind != StrategyKind::kHapset)
    return usage_error("--learning-runs is for the strategy hapset: add --strategy hapset");
  session.strategy_options = {.seed = options.seed, .learning_runs = options.learning_runs};
  if (!options.prefer.empty()) {
    Expected<PreferredLines> preferred = read_preferred(options.prefer);
    if (!preferred) return tl::unexpected(preferred.error());
    session.preferred = std::move(*preferred);
  }
  session.setting.flags = options.test.backend == "os" ? trace::request_flag::kOsThreads : 0;
  if (options.test.detect == "race") session.setting.flags |= trace::request_flag::kDetectRaces;
  if (options.no_spin_parking) session.setting.flags |= trace::request_flag::kNoSpinParking;
  session.setting.max_steps = options.max_steps;
  session.setting.timeout = options.test.timeout();
  if (options.inject) {
    const Expected<Injection> injection = parse_injection(*options.inject);
    if (!injection) return tl::unexpected(injection.error());
    if (injection->allocation_failures != 0) {
      return usage_error(
          "allocations that fail are no choices of a search; `heddle run --inject allocations --seeds "
          "1-1000` "
          "draws them");
    }
    session.setting.injection = *injection;
  }
  session.max_executions = options.max_executions;
  session.jobs = options.jobs;
  session.keep_going = options.keep_going;
  session.minimizes = !options.no_minimize;
  session.stops_at_divergence = options.on_divergence == "stop";

  std::optional<History> history;
  if (options.test.input.empty()) {
    Expected<std::optional<History>> opened = options.store.open();
    if (!opened) return tl::unexpected(opened.error());
    history = std::move(*opened);
    if (history) session.history = &*history;
  }
  const Expected<ForkServerOptions> server_options = options.test.server_options();
  if (!server_options) return tl::unexpected(server_options.error());
  end_jobs_on_interruption();
  Expected<Suppressions> suppressions = options.test.read_suppressions();
  if (!suppressions) return tl::unexpected(suppressions.error());
  Listener listener(options, *reports, std::move(*suppressions));
  const Expected<SessionResult> result = explore_test({.argv = words}, *server_options, session, listener);
  listener.finish();
  say_unused(listener.suppressions(), options.test.suppressions);
  if (!result) return tl::unexpected(result.error());

  RunResult told;
  told.command = "explore";
  told.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
  told.executions = result->executions;
  told.learning_executions = result->learning_executions;
  told.blocked_executions = result->blocked_executions;
  told.complete = result->claim.complete;
  told.findings = listener.tally().findings();
  told.own["strategy"] = print_strategy(*strategy);
  told.own["rate"] = static_cast<double>(result->executions) / told.seconds;
  if (told.complete) told.own["interleavings"] = result->claim.interleavings;
  told.own["restarts"] = result->restarts;
  told.own["pruned"] = result->pruned;
  told.own["minimizing_executions"] = result->minimizing_executions;
  told.own["suppressed"] = result->suppressed_executions;
  if (const Expected<void> written = reports->write(told); !written) return tl::unexpected(written.error());
  if (result->error && told.findings.empty()) return tl::unexpected(*result->error);
  if (result->error) say(result->error->message);
  say_result(*result, listener.tally(), options);
  say_suppressed(result->suppressed_executions);
  if (!told.findings.empty()) return exit_code::kFindings;
  return result->end == SessionEnd::kNotDeterministic ? exit_code::kUsage : exit_code::kClean;
}

}  // namespace

void add_explore_command(CLI::App& app, Invocation& invocation) {
  CLI::App* command = app.add_subcommand(
      "explore",
      "search the schedules of a test for one that fails: heddle explore [options] -- PROGRAM [arguments]");
  auto options = std::make_shared<ExploreOptions>();
  command->footer("Strategies:\n" + describe_strategies());
  command->add_option("--strategy", options->strategy, "which schedules to execute: " + list_strategies())
      ->capture_default_str();
  command->add_option("--budget", options->budget, "stop after this time")->capture_default_str();
  command->add_option("--max-executions", options->max_executions, "stop after so many executions")
      ->check(whole_number(1));
  command->add_flag("--keep-going", options->keep_going,
                    "do not stop at a failure; report every distinct one");
  command->add_option("--jobs", options->jobs, "explore with so many processes at once")
      ->capture_default_str()
      ->check(CLI::Range(1, 256));
  command->add_option("--seed", options->seed, "of what is random in a strategy")
      ->capture_default_str()
      ->check(whole_number());
  command
      ->add_option("--learning-runs", options->learning_runs,
                   "hapset: random executions to learn from before the search begins")
      ->capture_default_str()
      ->check(whole_number());
  command
      ->add_option("--on-divergence", options->on_divergence,
                   "if the test is not deterministic: stop, or continue")
      ->capture_default_str()
      ->check(CLI::IsMember({"stop", "continue"}));
  command->add_option("--output", options->output, "folder for the schedules of failures, or file for one");
  command->add_option("--max-steps", options->max_steps, "scheduling steps after which it is a livelock")
      ->capture_default_str()
      ->check(whole_number(1));
  command->add_flag("--no-spin-parking", options->no_spin_parking, "let threads that wait in a loop run on");
  command->add_option("--prefer", options->prefer,
                      "switch threads first around the events that `heddle impact --json FILE` names");
  add_store_options(*command, options->store);
  command
      ->add_option("--inject", options->inject,
                   "also explore what may go wrong: wakeups (waits that end although nobody notified)")
      ->option_text("wakeups[:N]");
  command->add_flag("--no-minimize", options->no_minimize, "report failures as they were found");
  add_detect_option(*command, options->test);
  add_test_options(*command, options->test);
  add_suppressions_option(*command, options->test);
  for (const char* name : {"--record", "--record-all"}) command->get_option(name)->group("");  // refused
  command->callback([&invocation, options] {
    invocation.action = [&invocation, options]() -> Expected<int> {
      const Expected<std::vector<std::string>> words = test_words(invocation, "explore");
      if (!words) return tl::unexpected(words.error());
      return explore(*options, *words);
    };
  });
}

}  // namespace heddle
