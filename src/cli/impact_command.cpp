// `heddle impact`: which interleavings of a test are new because of a change, and which of them go wrong.
#include <chrono>
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <sstream>

#include <fmt/format.h>

#include "check/change_impact.h"
#include "check/regression_search.h"
#include "check/source_names.h"
#include "check/trace_impact.h"
#include "cli/analysed_test.h"
#include "cli/budget.h"
#include "cli/command_line.h"
#include "cli/impact_report.h"
#include "cli/opened_change.h"
#include "cli/outcome_output.h"
#include "cli/progress.h"
#include "cli/project_store.h"
#include "cli/revision_options.h"
#include "cli/test_options.h"
#include "report/run_result.h"
#include "report/text.h"
#include "support/interruption.h"
#include "trace/event_stream.h"
#include "trace/names.h"

namespace heddle {
namespace {

namespace fs = std::filesystem;

struct ImpactCommandOptions : RevisionOptions {
  std::vector<std::string> traces;  // of base and head, instead of revisions
  std::string map;                  // a diff
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

// That a trace ends with.
Expected<void> tell_failure_of(const trace::Trace& trace, FindingListener& listener) {
  ReportContext context(trace, listener.symbolizer(), listener.directory());
  std::optional<FailureStory> story = tell_failure(context);
  const trace::OutcomeKind kind = trace.outcome().kind;
  if (!story || !listener.news(context, *story, kind)) return {};
  return listener.tell(context, std::move(*story),
                       {.kind = kind,
                        .confirmation = Confirmation::kExecuted,
                        .notes = {"it happened in the execution that was recorded"}});
}

// One `heddle impact`.
class ImpactRun {
 public:
  struct Options {
    UnitRule units;
    std::chrono::milliseconds budget{};
    bool lists_all = false;
    bool counts_all = true;
    const ProjectBuild* build = nullptr;  // of the head; null if there is only its trace
  };
  // All must outlive this.
  ImpactRun(AnalysisReport& report, const Options& options)
      : report_(report), options_(options), deadline_(std::chrono::steady_clock::now() + options.budget) {}

  Expected<void> look_into(const std::string& name, TestImpact& found, const StatementsOfBoth& statements);
  RunResult take_result();

 private:
  bool say_what_is_compared(const std::string& name, TestImpact& found) const;
  Expected<void> search(const std::string& name, TestImpact& found, const StatementsOfBoth& statements,
                        nlohmann::ordered_json* own);
  void add_findings(const std::string& name, const std::vector<Finding>& findings, FindingStatus status);

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

Expected<void> ImpactRun::look_into(const std::string& name, TestImpact& found,
                                    const StatementsOfBoth& statements) {
  complete_ &= say_what_is_compared(name, found);
  executions_ += found.base.executions() + found.head.executions();
  accesses_ += found.impact.accesses;
  print_impact(name, found);
  const fs::path source = options_.build != nullptr ? options_.build->source : fs::path();
  for (nlohmann::ordered_json& one : impact_to_json(found, source)) impacted_.push_back(std::move(one));
  nlohmann::ordered_json own = {{"name", name},
                                {"accesses", found.impact.accesses},
                                {"impacted_accesses", found.impact.impacted_accesses}};
  if (const Expected<void> searched = search(name, found, statements, &own); !searched) return searched;
  tests_.push_back(std::move(own));
  return {};
}

bool ImpactRun::say_what_is_compared(const std::string& name, TestImpact& found) const {
  const bool base_is_seen = say_how_it_ended(name, "base", found.base.recording);
  const bool head_is_seen = say_how_it_ended(name, "head", found.head.recording);
  const bool base_is_same = say_whether_it_repeats(name, "base", found.base, report_.symbolizer());
  const bool head_is_same = say_whether_it_repeats(name, "head", found.head, report_.symbolizer());
  return base_is_seen && head_is_seen && base_is_same && head_is_same;
}

// What goes wrong in the interleavings that are new.
Expected<void> ImpactRun::search(const std::string& name, TestImpact& found,
                                 const StatementsOfBoth& statements, nlohmann::ordered_json* own) {
  Progress progress;
  RegressionSearch search(statements, found, report_,
                          {.units = options_.units,
                           .deadline = deadline_,
                           .prophecies = prophecy_options(report_, progress, options_.lists_all),
                           .suspects = suspect_options(report_, progress, options_.lists_all)});
  const size_t told_before = report_.findings().size();
  Expected<void> done = found.head.server
                            ? tell_own_failure(found.head.recording, *found.head.server, search.listener())
                            : tell_failure_of(found.head.recording.trace(), search.listener());
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
  std::optional<SourceNames> names;
  if (options_.build != nullptr) names.emplace(options_.build->source, options_.build->folder);
  for (Finding finding : findings) {
    finding.status = status;
    finding.tests = {name};
    if (names) name_sites(*names, &finding);
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

Expected<ImpactRun::Options> run_options(const ImpactCommandOptions& options) {
  const Expected<UnitRule> units = parse_unit_rule(options.units);
  if (!units) return tl::unexpected(units.error());
  const Expected<std::chrono::milliseconds> budget = parse_budget(options.budget);
  if (!budget) return tl::unexpected(budget.error());
  return ImpactRun::Options{
      .units = *units, .budget = *budget, .lists_all = options.all, .counts_all = !options.no_count};
}

Expected<int> finish(const ImpactCommandOptions& options, const AnalysisReport& report,
                     const RunResult& result, bool confirms) {
  if (!options.suppressions.empty()) say_unused(report.suppressions(), options.suppressions);
  if (!options.json.empty())
    if (const Expected<void> written = write_json(options.json, result); !written)
      return tl::unexpected(written.error());
  if (was_interrupted()) {
    say("interrupted");
    return exit_code::kInterrupted;
  }
  return has_failures(result.findings, confirms) ? exit_code::kFindings : exit_code::kClean;
}

Expected<int> look_at_change(const ImpactCommandOptions& options, ImpactRun::Options run,
                             const std::vector<std::string>& tests) {
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
  run.build = &change->head_build();
  ImpactRun impact(report, run);
  for (const std::string& name : tests) {
    if (was_interrupted()) break;
    const Expected<TestOfBoth> test = change->find(name);
    if (!test) return tl::unexpected(test.error());
    if (test->base == nullptr) say(fmt::format("{} is new: all that it does is", name));
    const Expected<std::unique_ptr<TestImpact>> found = change->look_at(*test, report.symbolizer());
    if (!found) return tl::unexpected(found.error());
    const Expected<void> looked = impact.look_into(name, **found, change->statements());
    if (!looked) return tl::unexpected(looked.error());
  }
  return finish(options, report, impact.take_result(), /*confirms=*/true);
}

Expected<LineMap> read_map(const std::string& file) {
  if (file.empty()) return LineMap();
  std::ifstream in(file);
  if (!in) return usage_error(fmt::format("cannot read the diff {}", file));
  std::ostringstream text;
  text << in.rdbuf();
  return LineMap::parse(text.str(), file);
}

Expected<int> look_at_traces(const ImpactCommandOptions& options, const ImpactRun::Options& run) {
  Expected<trace::Trace> base = trace::read_execution(options.traces[0]);
  if (!base) return tl::unexpected(base.error());
  Expected<trace::Trace> head = trace::read_execution(options.traces[1]);
  if (!head) return tl::unexpected(head.error());
  const Expected<LineMap> map = read_map(options.map);
  if (!map) return tl::unexpected(map.error());
  TestOptions reading;
  reading.suppressions = options.suppressions;
  Expected<Suppressions> suppressions = reading.read_suppressions();
  if (!suppressions) return tl::unexpected(suppressions.error());
  AnalysisReport report(std::move(*suppressions), options.output);
  const Expected<std::unique_ptr<TestImpact>> found =
      compare_traces(std::move(*base), std::move(*head), *map, report.symbolizer());
  if (!found) return tl::unexpected(found.error());
  for (VersionOfTest* version : {&(*found)->base, &(*found)->head})
    for (const std::string& problem : version->symbols->problems()) say("warning: " + problem);
  ImpactRun impact(report, run);
  const Expected<void> looked = impact.look_into(options.traces[1], **found, statements_of(**found, *map));
  if (!looked) return tl::unexpected(looked.error());
  return finish(options, report, impact.take_result(), /*confirms=*/false);
}

Expected<int> run(const ImpactCommandOptions& options, const Invocation& invocation) {
  const Expected<ImpactRun::Options> own = run_options(options);
  if (!own) return tl::unexpected(own.error());
  if (!options.traces.empty()) {
    if (options.traces.size() != 2 || invocation.has_words || !options.base.empty() || !options.head.empty())
      return usage_error(
          "impact looks at two traces, or at tests of two revisions: heddle impact BASE.trace HEAD.trace");
    return look_at_traces(options, *own);
  }
  if (!options.map.empty())
    return usage_error("--map goes with two traces; revisions are compared by heddle");
  if (options.base.empty()) return usage_error("--base is required: the revision to compare with");
  if (!invocation.has_words || invocation.words.empty())
    return usage_error("which test? Name it after --: heddle impact --base REV -- TEST");
  return look_at_change(options, *own, invocation.words);
}

}  // namespace

void add_impact_command(CLI::App& app, Invocation& invocation) {
  CLI::App* command = app.add_subcommand(
      "impact", "which interleavings of a test a change makes new: heddle impact --base REV -- TEST");
  auto options = std::make_shared<ImpactCommandOptions>();
  add_revision_options(*command, *options);
  command->get_option("--base")->required(false);  // two traces will do
  command->add_option("TRACES", options->traces, "instead of revisions: a test's traces of base and head");
  command->add_option("--map", options->map, "of two traces: the unified diff of their sources");
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
