// `heddle check`: what a change has broken.
#include <memory>

#include <fmt/format.h>

#include "change/source_change.h"
#include "cli/change_check.h"
#include "cli/changed_classes_run.h"
#include "cli/check_report.h"
#include "cli/command_line.h"
#include "cli/opened_change.h"
#include "cli/progress.h"
#include "report/text.h"

namespace heddle {
namespace {

namespace fs = std::filesystem;

struct CheckCommandOptions : ChangeCheckOptions {
  bool all_tests = false;
  bool no_generate = false;
};

// Concurrent tests for the classes that the change touches, in the time that is left. What goes wrong with
// that is no reason to forget what the tests have shown.
Expected<FurtherResult> generate_tests(const CheckCommandOptions& options, const CheckResult& result,
                                       const Repository& repository, const Project& project,
                                       const fs::path& store, const EvidenceOptions& evidence) {
  if (options.no_generate || result.selection.is_empty_change || result.head_build.compile_commands.empty())
    return FurtherResult{};
  const Expected<SourceChange> change = compare_sources(repository, result.base, result.head);
  if (!change) return tl::unexpected(change.error());
  Expected<generate::TestFolder> output = generate::TestFolder::open(store / "generated", /*replaces=*/true);
  if (!output) return tl::unexpected(output.error());
  Expected<Suppressions> suppressions = read_suppressions(options.suppressions, project, repository.root());
  if (!suppressions) return tl::unexpected(suppressions.error());
  const fs::path folder = options.output.empty() ? store / "failures" : fs::absolute(options.output);
  AnalysisReport report(std::move(*suppressions), (folder / "").string(), evidence);
  Progress progress;
  ChangedClassesRun generating(
      result.base_build, result.head_build, *output, report,
      {.store = store,
       .budget = result.left,
       .compiler = project.cxx_compiler,
       .seed = options.order_seed,
       .step = [&](const std::string& text) { progress.update([&] { return text; }); }});
  const Expected<void> done = generating.run(*change, result.selection.uncovered_functions);
  progress.clear();
  if (!done) return tl::unexpected(done.error());
  RunResult generated = generating.take_result();
  if (!generated.own["classes"].empty())
    say(fmt::format("concurrent tests for {}: {}",
                    generated.own["classes"].size() == 1
                        ? "the class that changed"
                        : fmt::format("{} changed classes", generated.own["classes"].size()),
                    count_of(generated.findings.size(), "new finding")));
  return FurtherResult{std::move(generated.findings), std::move(generated.own)};
}

Expected<int> run(const CheckCommandOptions& options) {
  return check_change(
      options, options.all_tests ? CheckScope::kAll : CheckScope::kReaching,
      /*verifies=*/false,
      {.tell = [](CheckResult& result, const fs::path& folder,
                  const EvidenceOptions& evidence) { return tell_check(result, folder, evidence); },
       .describe = [](const CheckResult& result,
                      const std::string& error) { return describe_check(result, error); },
       .further =
           [&](const CheckResult& result, const Repository& repository, const Project& project,
               const fs::path& store, const EvidenceOptions& evidence) {
             return generate_tests(options, result, repository, project, store, evidence);
           }});
}

}  // namespace

void add_check_command(CLI::App& app, Invocation& invocation) {
  CLI::App* command =
      app.add_subcommand("check", "what a change has broken: heddle check --base REV [--head REV] [options]");
  auto options = std::make_shared<CheckCommandOptions>();
  add_change_check_options(*command, *options);
  command->add_flag("--all-tests", options->all_tests, "also tests that do not matter for the change");
  command->add_flag("--no-generate", options->no_generate,
                    "make up no concurrent tests for the classes that the change touches");
  command->callback([&invocation, options] { invocation.action = [options] { return run(*options); }; });
}

}  // namespace heddle
