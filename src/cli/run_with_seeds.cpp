// `heddle run --seeds FIRST-LAST`: the same test under many schedules.
#include <iostream>
#include <memory>
#include <optional>

#include <fmt/format.h>

#include "cli/analysis_report.h"
#include "cli/command_line.h"
#include "cli/outcome_output.h"
#include "cli/progress.h"
#include "cli/run_command.h"
#include "report/finding_tally.h"
#include "report/run_result.h"
#include "report/text.h"
#include "trace/policy.h"

namespace heddle {
namespace {

// Shows what the executions print and find as they come.
class SeedVisitor {
 public:
  SeedVisitor(const RunOptions& options, const SeedRange& seeds, const Reports& reports, PreparedRun& run,
              Suppressions suppressions)
      : options_(options),
        reports_(reports),
        run_(run),
        total_(seeds.count()),
        symbolizer_(make_symbolizer()),
        suppressions_(std::move(suppressions)) {}

  // False: no more executions are wanted.
  bool visit(const ExecutionRequest& request, const Execution& execution) {
    if (executions_++ == 0) say_what_was_not_controlled(execution);
    if (const Expected<void> seen = check_seen_to_the_end(execution); !seen) {
      return stop(
          Error{fmt::format("seed {}: {}", request.policy.seed, seen.error().message), seen.error().kind});
    }
    if (std::optional<Finding> found = make_finding(execution.trace, *symbolizer_, &suppressions_)) {
      if (Finding* finding = tally_.add(std::move(*found))) {
        if (const Expected<void> shown = show(*finding, request, execution); !shown)
          return stop(shown.error());
      }
      if (!options_.keep_going) return false;
    } else if (execution.failed()) {
      ++suppressed_;
    }
    progress_.update([&] {
      return fmt::format("{} of {} executions, {}", executions_, total_,
                         count_of(tally_.findings().size(), "finding"));
    });
    return true;
  }

  void finish() { progress_.clear(); }

  const FindingTally& tally() const { return tally_; }
  const Suppressions& suppressions() const { return suppressions_; }
  // Executions that failed with nothing but suppressed findings.
  uint64_t suppressed() const { return suppressed_; }
  const std::optional<Error>& error() const { return error_; }

 private:
  bool stop(Error error) {
    error_ = std::move(error);
    return false;
  }

  Expected<void> show(Finding& finding, const ExecutionRequest& request, const Execution& execution) {
    finding.executions_to_find = executions_;
    finding.seed = request.policy.seed;
    const Expected<std::string> file =
        write_finding_schedule(run_.server.schedule_of(request, execution), finding, options_.output);
    if (!file) return tl::unexpected(file.error());
    finding.schedule = *file;
    progress_.clear();
    std::cout << execution.out << std::flush;
    std::cerr << execution.err << std::flush;
    say(fmt::format("seed {} fails", request.policy.seed));
    print_report(&finding, execution, *symbolizer_, reports_.evidence());
    return {};
  }

  const RunOptions& options_;
  const Reports& reports_;
  PreparedRun& run_;
  const uint64_t total_;
  std::unique_ptr<Symbolizer> symbolizer_;
  Suppressions suppressions_;
  Progress progress_;
  FindingTally tally_;
  uint64_t executions_ = 0;
  uint64_t suppressed_ = 0;
  std::optional<Error> error_;
};

void say_what_was_found(const RunResult& result, const SeedVisitor& visitor, const SeedRange& seeds,
                        const PreparedRun& run) {
  const std::string what =
      fmt::format("{} of {} (seeds {}-{}, policy {}, {} learning executions)", result.executions,
                  count_of(seeds.count(), "execution"), seeds.first, seeds.last,
                  trace::policy_name(run.request.policy), run.learning.executions);
  if (result.findings.empty()) {
    say_if_not_settled(run.learning);
    say(fmt::format("{}: {}, {:.0f} a second",
                    visitor.suppressed() > 0 ? "no failure that is not suppressed" : "ok", what,
                    static_cast<double>(result.executions) / run.seconds()));
    return;
  }
  if (!result.complete) {
    say(fmt::format("{}, then stopped; --keep-going executes all", what));
    return;
  }
  say(fmt::format("{}: {} in {} of them", what, count_of(result.findings.size(), "finding"),
                  visitor.tally().occurrences()));
  for (const Finding& finding : result.findings) {
    say(fmt::format("  {} of them, first seed {}: {}: {}", *finding.occurrences, *finding.seed, finding.kind,
                    printable(finding.message)));
  }
}

}  // namespace

Expected<void> check_seeds_options(const RunOptions& options, const trace::PolicySpec& policy) {
  if (!trace::uses_seed(policy.kind)) {
    return usage_error(fmt::format("policy {} does the same for every seed; with --seeds use random or pct:D",
                                   trace::policy_name(policy)));
  }
  if (!options.test.record.empty()) {
    return usage_error(
        "--record is for one execution, not for --seeds; `heddle replay --record FILE` records a failure "
        "that was found");
  }
  return check_output_for_many(options.output, options.keep_going);
}

Expected<int> run_with_seeds(const RunOptions& options, const SeedRange& seeds, const Reports& reports,
                             PreparedRun& run) {
  Expected<Suppressions> suppressions = options.test.read_suppressions();
  if (!suppressions) return tl::unexpected(suppressions.error());
  SeedVisitor visitor(options, seeds, reports, run, std::move(*suppressions));
  const Expected<uint64_t> executions = run_seeds(
      run.server, run.request, seeds, [&](const ExecutionRequest& request, const Execution& execution) {
        return visitor.visit(request, execution);
      });
  visitor.finish();
  say_unused(visitor.suppressions(), options.test.suppressions);
  if (!executions) return tl::unexpected(executions.error());

  RunResult result;
  result.command = "run";
  result.seconds = run.seconds();
  result.executions = *executions;
  result.learning_executions = run.learning.executions;
  result.complete = *executions == seeds.count() && !visitor.error();
  result.findings = visitor.tally().findings();
  result.own["policy"] = trace::policy_name(run.request.policy);
  result.own["suppressed"] = visitor.suppressed();
  result.own["seeds"] = {{"first", seeds.first}, {"last", seeds.last}};
  if (const Expected<void> written = reports.write(result); !written) return tl::unexpected(written.error());
  if (visitor.error()) return tl::unexpected(*visitor.error());
  say_what_was_found(result, visitor, seeds, run);
  say_suppressed(visitor.suppressed());
  return result.findings.empty() ? exit_code::kClean : exit_code::kFindings;
}

}  // namespace heddle
