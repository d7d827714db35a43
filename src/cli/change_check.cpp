#include "cli/change_check.h"

#include <fmt/format.h>

#include "change/source_change.h"
#include "cli/budget.h"
#include "cli/change_map.h"
#include "cli/command_line.h"
#include "cli/opened_change.h"
#include "cli/progress.h"
#include "cli/project_store.h"
#include "report/text.h"
#include "support/interruption.h"

namespace heddle {
namespace {

namespace fs = std::filesystem;

CheckListener listener_of(Progress& progress) {
  return {.step =
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
              }};
}

// Nothing if that cannot be told: then no line is marked.
std::vector<ReportedFile> change_of(const Repository& repository, const CheckResult& result) {
  const Expected<SourceChange> change = compare_sources(repository, result.base, result.head);
  return change ? change_map(*change) : std::vector<ReportedFile>();
}

}  // namespace

Expected<int> check_change(const ChangeCheckOptions& options, const ChangeCheckSetting& setting,
                           const ChangeCheckReport& report) {
  const auto started = std::chrono::steady_clock::now();
  const Expected<Reports> reports = Reports::open(options.report);
  if (!reports) return tl::unexpected(reports.error());
  const Expected<Repository> repository = Repository::open(fs::current_path());
  if (!repository) return tl::unexpected(repository.error());
  const Expected<Project> project = read_project(repository->root());
  if (!project) return tl::unexpected(project.error());
  const Expected<std::chrono::milliseconds> budget =
      parse_budget(options.budget.empty() ? project->budget : options.budget);
  if (!budget) return tl::unexpected(budget.error());
  const Expected<Shard> shard = options.shard.empty() ? Shard() : parse_shard(options.shard);
  if (!shard) return tl::unexpected(shard.error());
  const Expected<fs::path> store = prepare_store(options.store, repository->root());
  if (!store) return tl::unexpected(store.error());
  Expected<Suppressions> suppressions = read_suppressions(options.suppressions, *project, repository->root());
  if (!suppressions) return tl::unexpected(suppressions.error());
  Expected<History> history = History::open(history_file(*store));
  if (!history) return tl::unexpected(history.error());
  end_jobs_on_interruption();

  const fs::path folder = options.output.empty() ? *store / "failures" : fs::absolute(options.output);
  Progress progress;
  Check check({.folder = repository->root(),
               .base = options.base,
               .head = options.head,
               .store = *store,
               .compilers = own_folder(),
               .failures = folder,
               .budget = *budget,
               .seeds = options.seeds,
               .again = options.again,
               .shard = *shard,
               .verifies = setting.verifies,
               .scope = setting.scope,
               .order_seed = options.order_seed},
              setting.stages(progress), std::move(*suppressions), *history, listener_of(progress));
  CheckResult result;
  const Expected<void> checked = check.run(&result);
  progress.clear();
  const std::vector<ReportedFile> change = change_of(*repository, result);
  const ChangedLines lines = changed_lines(change);
  const std::string source = result.head_build.source.string();
  EvidenceOptions evidence = reports->evidence(source, source);
  evidence.scope.changed = &lines;
  // An error on the way takes nothing back that was found before.
  if (checked || !result.tests.empty()) report.tell(result, folder, evidence);
  Report told = report.describe(result, checked ? result.base_failure : checked.error().message);
  if (!shard->is_all()) told.result.own["shard"] = print_shard(*shard);
  told.result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
  told.root = repository->root().string();
  told.change = change;
  if (const Expected<void> written = reports->write(std::move(told)); !written)
    return tl::unexpected(written.error());
  if (!checked) return tl::unexpected(checked.error());
  if (result.interrupted) {
    say("interrupted");
    return exit_code::kInterrupted;
  }
  if (!result.base_failure.empty()) return usage_error(result.base_failure);
  return result.count(FindingStatus::kNew) != 0 ? exit_code::kFindings : exit_code::kClean;
}

void add_change_check_options(CLI::App& command, ChangeCheckOptions& options) {
  add_revision_options(command, options);
  command.add_option("--budget", options.budget,
                     "for all but the builds: 500ms, 60s, 5m (default: the project's, or 10m)");
  command.add_option("--seeds", options.seeds, "schedules of each test beside the default one")
      ->capture_default_str()
      ->check(whole_number());
  command.add_option("--shard", options.shard,
                     "look into this part of the tests, classes and programs only: 1/4 of four machines");
  command.add_flag("--again", options.again, "also try tests that an earlier run has found clean");
  command.add_option("--seed", options.order_seed, "breaks ties of the tests' order")->check(whole_number());
  command.add_option("--store", options.store, "heddle's own folder (default: .heddle in the project)");
  command.add_option("--output", options.output,
                     "folder for the schedules of findings (default: failures in heddle's own)");
  command.add_option("--suppressions", options.suppressions, "file in ThreadSanitizer's syntax");
  add_report_options(command, options.report);
}

}  // namespace heddle
