// `heddle check`: what a change has broken.
#include <algorithm>
#include <filesystem>
#include <memory>

#include <fmt/format.h>

#include "check/check.h"
#include "cli/budget.h"
#include "cli/command_line.h"
#include "cli/outcome_output.h"
#include "cli/progress.h"
#include "cli/project_store.h"
#include "cli/revision_options.h"
#include "cli/test_options.h"
#include "execute/interruption.h"
#include "report/run_result.h"
#include "report/text.h"

namespace heddle {
namespace {

namespace fs = std::filesystem;

struct CheckCommandOptions : RevisionOptions {
  std::string store;
  std::string budget;  // empty: the project's
  std::string output;
  std::string json;
  std::string suppressions;
  uint64_t seeds = 20;
  bool again = false;
};

void say_summary(const CheckResult& result, size_t new_findings, size_t known_findings) {
  say(fmt::format("{} against {}: {} tried in {}, {} new, {} known", result.head.name, result.base.name,
                  count_of(result.tests.size(), "test"), count_of(result.executions, "execution"),
                  count_of(new_findings, "finding"), known_findings));
  for (const CheckedTest& test : result.tests) {
    if (!test.head.trouble.empty())
      say(fmt::format("{} was not seen to its end: {}", test.name, test.head.trouble));
  }
  for (const UnusableTest& test : result.unusable)
    say(fmt::format("{} cannot be tried: {}", test.name, test.why));
  const auto before = std::count_if(result.tests.begin(), result.tests.end(),
                                    [](const CheckedTest& test) { return test.was_tried_before; });
  if (before != 0) {
    say(fmt::format("{} found clean by an earlier check of the same program, and not tried again",
                    count_of(static_cast<size_t>(before), "test")));
  }
  if (!result.not_kept.empty()) say("what was tried is not remembered: " + result.not_kept);
  if (!result.not_reached.empty()) {
    say(fmt::format("{} not reached within the budget, {} first", count_of(result.not_reached.size(), "test"),
                    result.not_reached.front()));
  }
  if (result.suppressed > 0)
    say(fmt::format("{} failed with suppressed findings", count_of(result.suppressed, "execution")));
}

nlohmann::ordered_json describe(const Revision& revision, const ProjectBuild& build) {
  return {{"name", revision.name},
          {"commit", revision.commit},
          {"working_tree", revision.is_working_tree},
          {"build_seconds", build.seconds},
          {"build_cached", build.was_cached}};
}

Expected<int> run(const CheckCommandOptions& options) {
  const auto started = std::chrono::steady_clock::now();
  const Expected<Repository> repository = Repository::open(fs::current_path());
  if (!repository) return tl::unexpected(repository.error());
  const Expected<Project> project = read_project(repository->root());
  if (!project) return tl::unexpected(project.error());
  const Expected<std::chrono::milliseconds> budget =
      parse_budget(options.budget.empty() ? project->budget : options.budget);
  if (!budget) return tl::unexpected(budget.error());
  const Expected<fs::path> store = prepare_store(options.store, repository->root());
  if (!store) return tl::unexpected(store.error());
  TestOptions reading;
  reading.suppressions = options.suppressions.empty() && !project->suppressions.empty()
                             ? (repository->root() / project->suppressions).string()
                             : options.suppressions;
  Expected<Suppressions> suppressions = reading.read_suppressions();
  if (!suppressions) return tl::unexpected(suppressions.error());
  Expected<History> history = History::open(history_file(*store));
  if (!history) return tl::unexpected(history.error());
  end_jobs_on_interruption();

  Progress progress;
  Check check({.folder = repository->root(),
               .base = options.base,
               .head = options.head,
               .store = *store,
               .compilers = own_folder(),
               .budget = *budget,
               .seeds = options.seeds,
               .again = options.again},
              std::move(*suppressions), *history,
              {.step =
                   [&](const std::string& step) {
                     progress.clear();
                     say(step);
                   },
               .test =
                   [&](size_t number, size_t total, const std::string& name) {
                     progress.update([&] { return fmt::format("test {} of {}: {}", number, total, name); });
                   }});
  Expected<CheckResult> result = check.run();
  progress.clear();
  if (!result) return tl::unexpected(result.error());

  RunResult told;
  told.command = "check";
  const std::unique_ptr<Symbolizer> symbolizer = make_symbolizer();
  size_t known = 0;
  for (CheckFinding& found : result->findings) {
    Finding finding = found.found.finding;
    if (finding.status == FindingStatus::kKnown) {
      ++known;
    } else {
      const Expected<std::string> file =
          write_finding_schedule(found.found.schedule, finding, options.output);
      if (!file) return tl::unexpected(file.error());
      finding.schedule = *file;
      say(fmt::format("new in {}, shown by {}:", result->head.name, found.test));
      print_report(finding, found.found.execution, *symbolizer);
    }
    told.findings.push_back(std::move(finding));
  }
  say_summary(*result, told.findings.size() - known, known);
  told.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
  told.executions = result->executions;
  told.complete = result->complete();
  told.own["base"] = describe(result->base, result->base_build);
  told.own["head"] = describe(result->head, result->head_build);
  told.own["tests"] = result->tests.size();
  told.own["tried_before"] = std::count_if(result->tests.begin(), result->tests.end(),
                                           [](const CheckedTest& test) { return test.was_tried_before; });
  told.own["not_reached"] = result->not_reached;
  told.own["new"] = told.findings.size() - known;
  told.own["known"] = known;
  told.own["suppressed"] = result->suppressed;
  if (!options.json.empty()) {
    const Expected<void> written = write_json(options.json, told);
    if (!written) return tl::unexpected(written.error());
  }
  return told.findings.size() > known ? exit_code::kFindings : exit_code::kClean;
}

}  // namespace

void add_check_command(CLI::App& app, Invocation& invocation) {
  CLI::App* command =
      app.add_subcommand("check", "what a change has broken: heddle check --base REV [--head REV] [options]");
  auto options = std::make_shared<CheckCommandOptions>();
  add_revision_options(*command, *options);
  command->add_option("--budget", options->budget, "for the tests, builds not included: 500ms, 60s, 5m");
  command->add_option("--seeds", options->seeds, "schedules of each test beside the default one")
      ->capture_default_str()
      ->check(whole_number());
  command->add_flag("--again", options->again, "also try tests that an earlier check has found clean");
  command->add_option("--store", options->store, "heddle's own folder (default: .heddle in the project)");
  command->add_option("--output", options->output, "folder for the schedules of findings");
  command->add_option("--suppressions", options->suppressions, "file in ThreadSanitizer's syntax");
  command->add_option("--json", options->json, "file for the result");
  command->callback([&invocation, options] { invocation.action = [options] { return run(*options); }; });
}

}  // namespace heddle
