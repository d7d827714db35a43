// `heddle check`: what a change has broken.
#include <algorithm>
#include <filesystem>
#include <memory>

#include <fmt/format.h>

#include "check/check.h"
#include "cli/budget.h"
#include "cli/check_report.h"
#include "cli/command_line.h"
#include "cli/progress.h"
#include "cli/project_store.h"
#include "cli/revision_options.h"
#include "cli/test_options.h"
#include "report/run_result.h"
#include "report/text.h"
#include "support/interruption.h"

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
               .build = [&](const std::string& said) { progress.update([&] { return said; }); },
               .test =
                   [&](const std::string& name, size_t number, size_t total, uint64_t executions) {
                     progress.update([&] {
                       return fmt::format("test {} of {}: {}, {}", number, total, name,
                                          count_of(executions, "execution"));
                     });
                   }});
  CheckResult result;
  const Expected<void> checked = check.run(&result);
  progress.clear();
  if (checked) {
    const fs::path folder = options.output.empty() ? *store / "failures" : fs::absolute(options.output);
    if (const Expected<void> told = tell_check(result, folder); !told) return tl::unexpected(told.error());
  }
  if (!options.json.empty()) {
    RunResult told = describe_check(result, checked ? "" : checked.error().message);
    told.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
    const Expected<void> written = write_json(options.json, told);
    if (!written) return tl::unexpected(written.error());
  }
  if (!checked) return tl::unexpected(checked.error());
  if (result.interrupted) {
    say("interrupted");
    return exit_code::kInterrupted;
  }
  return result.count(FindingStatus::kNew) != 0 ? exit_code::kFindings : exit_code::kClean;
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
  command->add_option("--output", options->output,
                      "folder for the schedules of findings (default: failures in heddle's own)");
  command->add_option("--suppressions", options->suppressions, "file in ThreadSanitizer's syntax");
  command->add_option("--json", options->json, "file for the result");
  command->callback([&invocation, options] { invocation.action = [options] { return run(*options); }; });
}

}  // namespace heddle
