// `heddle impact`: which interleavings of a test are new because of a change, and which of them go wrong.
#include <chrono>
#include <fstream>
#include <memory>
#include <optional>
#include <sstream>

#include <fmt/format.h>

#include "check/both_builds.h"
#include "check/change_impact.h"
#include "check/trace_impact.h"
#include "cli/analysed_test.h"
#include "cli/budget.h"
#include "cli/command_line.h"
#include "cli/impact_run.h"
#include "cli/opened_change.h"
#include "cli/progress.h"
#include "cli/project_store.h"
#include "cli/revision_options.h"
#include "cli/test_options.h"
#include "report/run_result.h"
#include "support/interruption.h"
#include "trace/event_stream.h"

namespace heddle {
namespace {

struct ImpactCommandOptions : RevisionOptions {
  std::vector<std::string> traces;  // of base and head, instead of revisions
  std::string map;                  // a diff
  std::string store;
  ReportOptions report;
  std::string output;
  std::string suppressions;
  std::string units = "call:1";
  std::string budget = "60s";
  uint32_t schedules = 3;
  bool all = false;
  bool no_count = false;
};

Expected<ImpactRun::Options> run_options(const ImpactCommandOptions& options, const Reports& reports) {
  const Expected<UnitRule> units = parse_unit_rule(options.units);
  if (!units) return tl::unexpected(units.error());
  const Expected<std::chrono::milliseconds> budget = parse_budget(options.budget);
  if (!budget) return tl::unexpected(budget.error());
  return ImpactRun::Options{.units = *units,
                            .budget = *budget,
                            .lists_all = options.all,
                            .counts_all = !options.no_count,
                            .is_reported = reports.is_wanted()};
}

Expected<int> finish(const ImpactCommandOptions& options, const Reports& reports,
                     const AnalysisReport& report, const RunResult& result, bool confirms) {
  if (!options.suppressions.empty()) say_unused(report.suppressions(), options.suppressions);
  if (const Expected<void> written = reports.write(result); !written) return tl::unexpected(written.error());
  if (was_interrupted()) {
    say("interrupted");
    return exit_code::kInterrupted;
  }
  return has_failures(result.findings, confirms) ? exit_code::kFindings : exit_code::kClean;
}

Expected<void> look_into(const std::string& name, const ChangeImpact& change, uint32_t schedules,
                         AnalysisReport& report, ImpactRun* impact) {
  const Expected<TestOfBoth> test = change.find(name);
  if (!test) return tl::unexpected(test.error());
  if (test->base == nullptr) say(fmt::format("{} is new: all that it does is", name));
  const Expected<std::unique_ptr<ComparedTest>> compared =
      ComparedTest::start(change, *test, schedules, report.symbolizer());
  if (!compared) return tl::unexpected(compared.error());
  return impact->look_into(name, **compared, change);
}

Expected<int> look_at_change(const ImpactCommandOptions& options, const Reports& reports,
                             ImpactRun::Options run, const std::vector<std::string>& tests) {
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
  const std::string source = change->head_build().source.string();
  AnalysisReport report(std::move(*suppressions), output, reports.evidence(source, source));
  report.set_revision(name_to_build(opened->revisions.head));
  run.build = &change->head_build();
  run.failures = output;
  ImpactRun impact(report, run);
  // A name that is not one is most likely mistyped, so it is said before anything is executed.
  for (const std::string& name : tests)
    if (const Expected<TestOfBoth> test = change->find(name); !test && !change->is_gone(name))
      return tl::unexpected(test.error());
  std::optional<Error> trouble;
  bool has_looked = false;
  for (const std::string& name : tests) {
    if (was_interrupted()) break;
    const Expected<void> looked = look_into(name, *change, options.schedules, report, &impact);
    has_looked |= looked.has_value();
    if (looked || was_interrupted()) continue;
    if (tests.size() > 1) impact.pass_over(name, looked.error());
    if (!trouble) trouble = looked.error();
  }
  if (trouble && !has_looked) return tl::unexpected(*trouble);
  const Expected<int> code = finish(options, reports, report, impact.take_result(), /*confirms=*/true);
  return trouble && code == exit_code::kClean ? static_cast<int>(trouble->kind) : code;
}

Expected<LineMap> read_map(const std::string& file) {
  if (file.empty()) return LineMap();
  std::ifstream in(file);
  if (!in) return usage_error(fmt::format("cannot read the diff {}", file));
  std::ostringstream text;
  text << in.rdbuf();
  return LineMap::parse(text.str(), file);
}

Expected<int> look_at_traces(const ImpactCommandOptions& options, const Reports& reports,
                             const ImpactRun::Options& run) {
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
  AnalysisReport report(std::move(*suppressions), options.output, reports.evidence());
  const Expected<std::unique_ptr<TestImpact>> found =
      compare_traces(std::move(*base), std::move(*head), *map, report.symbolizer());
  if (!found) return tl::unexpected(found.error());
  for (VersionOfTest* version : {&(*found)->base, &(*found)->head})
    for (const std::string& problem : version->symbols->problems()) say("warning: " + problem);
  ImpactRun impact(report, run);
  const Expected<void> looked = impact.look_into(options.traces[1], **found, statements_of(**found, *map));
  if (!looked) return tl::unexpected(looked.error());
  return finish(options, reports, report, impact.take_result(), /*confirms=*/false);
}

Expected<int> run(const ImpactCommandOptions& options, const Invocation& invocation) {
  const Expected<Reports> reports = Reports::open(options.report);
  if (!reports) return tl::unexpected(reports.error());
  const Expected<ImpactRun::Options> own = run_options(options, *reports);
  if (!own) return tl::unexpected(own.error());
  if (!options.traces.empty()) {
    if (options.traces.size() != 2 || invocation.has_words || !options.base.empty() || !options.head.empty())
      return usage_error(
          "impact looks at tests of two revisions (heddle impact --base REV -- TEST…) or at two traces "
          "(heddle "
          "impact BASE.trace HEAD.trace)");
    return look_at_traces(options, *reports, *own);
  }
  if (!options.map.empty())
    return usage_error("--map goes with two traces; revisions are compared by heddle");
  if (options.base.empty()) return usage_error("--base is required: the revision to compare with");
  if (!invocation.has_words || invocation.words.empty())
    return usage_error("which test? Name it after --: heddle impact --base REV -- TEST");
  return look_at_change(options, *reports, *own, invocation.words);
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
      ->add_option("--schedules", options->schedules,
                   "execute each test under so many, which do different things, and compare the versions")
      ->capture_default_str()
      ->check(CLI::Range(1, 1000));
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
  add_report_options(*command, options->report);
  command->callback([&invocation, options] {
    invocation.action = [&invocation, options] { return run(*options, invocation); };
  });
}

}  // namespace heddle
