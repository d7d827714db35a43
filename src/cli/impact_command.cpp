// `heddle impact`: which interleavings of a test are new because of a change, and which of them go wrong.
#include <chrono>
#include <filesystem>
#include <memory>

#include <fmt/format.h>

#include "check/change_impact.h"
#include "check/regression_search.h"
#include "check/source_names.h"
#include "cli/analysed_test.h"
#include "cli/budget.h"
#include "cli/command_line.h"
#include "cli/impact_report.h"
#include "cli/opened_change.h"
#include "cli/outcome_output.h"
#include "cli/progress.h"
#include "cli/project_store.h"
#include "cli/revision_options.h"
#include "report/run_result.h"
#include "report/text.h"
#include "support/interruption.h"
#include "trace/names.h"

namespace heddle {
namespace {

namespace fs = std::filesystem;

struct ImpactCommandOptions : RevisionOptions {
  std::string store;
  std::string json;
  std::string output;
  std::string suppressions;
  std::string units = "call:1";
  std::string budget = "60s";
  bool all = false;
  bool no_count = false;
};

// Of an execution that failed or is too long, what it did not come to is not compared. False for such a one.
bool say_how_it_ended(const std::string& test, std::string_view version, const Recording& recording) {
  const Execution& execution = recording.execution;
  const std::string_view message = recording.trace().outcome_message();
  if (execution.failed())
    say(fmt::format("warning: {} fails on the {} ({}{}{}): what comes after that is not compared", test,
                    version, trace::to_text(execution.outcome.kind), message.empty() ? "" : ": ", message));
  if (recording.trace().events_lost() > 0)
    say(fmt::format("warning: the last {} of {} on the {} are not compared: they do not fit",
                    count_of(recording.trace().events_lost(), "event"), test, version));
  return !execution.failed() && recording.trace().events_lost() == 0;
}

std::string event_text(TraceSymbols& symbols, uint64_t number) {
  if (number >= symbols.trace().events().size()) return "the end of the test";
  const trace::EventRecord& event = symbols.trace().events()[number];
  return fmt::format("{} by {} at {}", trace::to_text(event.kind), symbols.trace().thread_name(event.thread),
                     symbols.site_text(event.site, event.context));
}

// False for a test that does not do the same again: then not all that differs comes from the change.
bool say_whether_it_repeats(const std::string& test, std::string_view version, VersionOfTest& executed,
                            Symbolizer& symbolizer) {
  if (!executed.divergence) return true;
  TraceSymbols other(executed.divergence->other, symbolizer);
  const uint64_t event = executed.divergence->event;
  say(
      fmt::format("warning: {} does something else each time it is executed on the {}, so not all that is "
                  "impacted comes from the change. The first difference is event {}: {}; the second time, {}",
                  test, version, event, event_text(*executed.symbols, event), event_text(other, event)));
  return false;
}

// One `heddle impact`.
class ImpactRun {
 public:
  struct Options {
    UnitRule units;
    std::chrono::milliseconds budget{};
    bool lists_all = false;
    bool counts_all = true;
  };
  // Both must outlive this.
  ImpactRun(const ChangeImpact& change, AnalysisReport& report, const Options& options)
      : change_(change),
        report_(report),
        options_(options),
        deadline_(std::chrono::steady_clock::now() + options.budget) {}

  Expected<void> look_at(const std::string& name);
  RunResult take_result();

 private:
  bool say_what_is_compared(const std::string& name, const TestOfBoth& test, TestImpact& found) const;
  Expected<void> search(const std::string& name, TestImpact& found, nlohmann::ordered_json* own);
  void add_findings(const std::string& name, const std::vector<Finding>& findings, FindingStatus status);

  const ChangeImpact& change_;
  AnalysisReport& report_;
  const Options options_;
  const std::chrono::steady_clock::time_point deadline_;
  bool complete_ = true;
  uint64_t executions_ = 0;
  uint64_t accesses_ = 0;
  uint64_t explored_ = 0;
  uint64_t all_patterns_ = 0;
  std::vector<Finding> findings_;
  nlohmann::ordered_json tests_ = nlohmann::ordered_json::array();
  nlohmann::ordered_json impacted_ = nlohmann::ordered_json::array();
};

Expected<void> ImpactRun::look_at(const std::string& name) {
  const Expected<TestOfBoth> test = change_.find(name);
  if (!test) return tl::unexpected(test.error());
  const Expected<std::unique_ptr<TestImpact>> looked = change_.look_at(*test, report_.symbolizer());
  if (!looked) return tl::unexpected(looked.error());
  TestImpact& found = **looked;
  complete_ &= say_what_is_compared(name, *test, found);
  executions_ += found.base.executions() + found.head.executions();
  accesses_ += found.impact.accesses;
  print_impact(name, found);
  for (nlohmann::ordered_json& one : impact_to_json(found, change_.head_build().source))
    impacted_.push_back(std::move(one));
  nlohmann::ordered_json own = {{"name", name},
                                {"accesses", found.impact.accesses},
                                {"impacted_accesses", found.impact.impacted_accesses}};
  if (const Expected<void> searched = search(name, found, &own); !searched) return searched;
  tests_.push_back(std::move(own));
  return {};
}

bool ImpactRun::say_what_is_compared(const std::string& name, const TestOfBoth& test,
                                     TestImpact& found) const {
  if (test.base == nullptr) say(fmt::format("{} is new: all that it does is", name));
  const bool base_is_seen = test.base == nullptr || say_how_it_ended(name, "base", found.base.recording);
  const bool head_is_seen = say_how_it_ended(name, "head", found.head.recording);
  const bool base_is_same = say_whether_it_repeats(name, "base", found.base, report_.symbolizer());
  const bool head_is_same = say_whether_it_repeats(name, "head", found.head, report_.symbolizer());
  return base_is_seen && head_is_seen && base_is_same && head_is_same;
}

// What goes wrong in the interleavings that are new.
Expected<void> ImpactRun::search(const std::string& name, TestImpact& found, nlohmann::ordered_json* own) {
  Progress progress;
  RegressionSearch search(change_, found, report_,
                          {.units = options_.units,
                           .deadline = deadline_,
                           .prophecies = prophecy_options(report_, progress, options_.lists_all),
                           .suspects = suspect_options(report_, progress, options_.lists_all)});
  const size_t told_before = report_.findings().size();
  Expected<void> done = tell_own_failure(found.head.recording, *found.head.server, search.listener());
  if (done) done = search.run();
  progress.clear();
  if (!done) return done;
  const size_t told = report_.findings().size() - told_before;
  add_findings(name, {report_.findings().end() - static_cast<ptrdiff_t>(told), report_.findings().end()},
               FindingStatus::kNew);
  add_findings(name, search.known(), FindingStatus::kKnown);
  for (const Finding& known : search.known())
    say(fmt::format("already in the base: {}: {}", known.kind, printable(known.message)));

  complete_ &= search.not_tried() == 0 && search.left_out().empty();
  executions_ += search.executions();
  explored_ += search.explored();
  (*own)["explored"] = search.explored();
  std::string of_all;
  if (options_.counts_all) {
    const uint64_t all = search.count_all();
    all_patterns_ += all;
    (*own)["explored_of"] = all;
    of_all = fmt::format(" of {}", all);
  }
  (*own)["executions"] = search.executions();
  fmt::print("{}: {}{} patterns explored, {}: {}, {} already in the base\n", name, search.explored(), of_all,
             count_of(search.executions(), "execution"), count_of(told, "new finding"),
             search.known().size());
  if (search.not_tried() > 0) say(fmt::format("{} not executed for lack of time", search.not_tried()));
  for (const std::string& left_out : search.left_out()) say(left_out);
  return {};
}

void ImpactRun::add_findings(const std::string& name, const std::vector<Finding>& findings,
                             FindingStatus status) {
  SourceNames names(change_.head_build().source, change_.head_build().folder);
  for (Finding finding : findings) {
    finding.status = status;
    finding.tests = {name};
    name_sites(names, &finding);
    findings_.push_back(std::move(finding));
  }
}

RunResult ImpactRun::take_result() {
  RunResult result;
  result.command = "impact";
  result.seconds = report_.seconds();
  result.executions = executions_;
  result.complete = complete_ && !was_interrupted();
  result.findings = std::move(findings_);
  result.own["tests"] = std::move(tests_);
  result.own["accesses"] = accesses_;
  result.own["explored"] = explored_;
  if (options_.counts_all) result.own["explored_of"] = all_patterns_;
  result.own["suppressed"] = report_.suppressed();
  result.own["impacted"] = std::move(impacted_);
  return result;
}

Expected<int> run(const ImpactCommandOptions& options, const Invocation& invocation) {
  if (!invocation.has_words || invocation.words.empty())
    return usage_error("which test? Name it after --: heddle impact --base REV -- TEST");
  const Expected<UnitRule> units = parse_unit_rule(options.units);
  if (!units) return tl::unexpected(units.error());
  const Expected<std::chrono::milliseconds> budget = parse_budget(options.budget);
  if (!budget) return tl::unexpected(budget.error());
  const Expected<OpenedChange> opened = open_change(options, options.store);
  if (!opened) return tl::unexpected(opened.error());
  Expected<Suppressions> suppressions =
      read_suppressions(options.suppressions, opened->project, opened->repository.root());
  if (!suppressions) return tl::unexpected(suppressions.error());
  end_jobs_on_interruption();
  Progress progress;
  const Expected<ChangeImpact> change = ChangeImpact::prepare(
      opened->repository, opened->project, opened->revisions,
      {.store = opened->store, .compilers = own_folder(), .step = [&](const std::string& text) {
         progress.update([&] { return text; });
       }});
  progress.clear();
  if (!change) return tl::unexpected(change.error());

  // Not in the project: it would be part of what is looked at next.
  const std::string output =
      options.output.empty() ? (opened->store / "failures" / "").string() : options.output;
  AnalysisReport report(std::move(*suppressions), output, change->head_build().source.string());
  ImpactRun impact(
      *change, report,
      {.units = *units, .budget = *budget, .lists_all = options.all, .counts_all = !options.no_count});
  for (const std::string& name : invocation.words) {
    if (was_interrupted()) break;
    if (const Expected<void> looked = impact.look_at(name); !looked) return tl::unexpected(looked.error());
  }
  say_unused(report.suppressions(), options.suppressions);
  const RunResult result = impact.take_result();
  if (!options.json.empty())
    if (const Expected<void> written = write_json(options.json, result); !written)
      return tl::unexpected(written.error());
  if (was_interrupted()) {
    say("interrupted");
    return exit_code::kInterrupted;
  }
  return has_failures(result.findings, /*confirms=*/true) ? exit_code::kFindings : exit_code::kClean;
}

}  // namespace

void add_impact_command(CLI::App& app, Invocation& invocation) {
  CLI::App* command = app.add_subcommand(
      "impact", "which interleavings of a test a change makes new: heddle impact --base REV -- TEST");
  auto options = std::make_shared<ImpactCommandOptions>();
  add_revision_options(*command, *options);
  command->add_option("--budget", options->budget, "stop executing the head after this time: 500ms, 60s, 5m")
      ->capture_default_str();
  command
      ->add_option("--units", options->units, "what counts as a unit of work: function, call:N, lock, thread")
      ->capture_default_str();
  command->add_flag("--all", options->all, "also list what did no harm or was not reproduced");
  command->add_flag("--no-count", options->no_count,
                    "do not count the patterns of the whole execution, which takes a prediction of its own");
  command->add_option("--store", options->store, "heddle's own folder (default: .heddle in the project)");
  command->add_option("--output", options->output,
                      "folder for the schedules of findings (default: failures in heddle's own)");
  command->add_option("--suppressions", options->suppressions, "file in ThreadSanitizer's syntax");
  command->add_option("--json", options->json, "file for the result");
  command->callback([&invocation, options] {
    invocation.action = [&invocation, options] { return run(*options, invocation); };
  });
}

}  // namespace heddle
