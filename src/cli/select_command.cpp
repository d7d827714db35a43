// `heddle select`: which tests matter for a change, and in which order.
#include <algorithm>
#include <filesystem>
#include <memory>

#include <fmt/format.h>

#include "check/test_selection.h"
#include "cli/command_line.h"
#include "cli/opened_change.h"
#include "cli/progress.h"
#include "cli/project_store.h"
#include "cli/revision_options.h"
#include "report/run_result.h"
#include "report/text.h"
#include "suite/runner_arguments.h"

namespace heddle {
namespace {

namespace fs = std::filesystem;

constexpr size_t kUncoveredShown = 10;
constexpr size_t kRemovedShown = 5;

struct SelectCommandOptions : RevisionOptions {
  std::string store;
  std::string json;
  std::string format = "names";
  uint64_t seed = 1;
  bool all = false;
  bool explain = false;
};

void print_names(const TestSelection& selected, const SelectCommandOptions& options) {
  for (const select::RankedTest& test : selected.selection.tests) {
    if (!test.is_selected() && !options.all) break;
    fmt::print("{}\n", test.name);
    if (!options.explain) continue;
    for (const std::string& reason : test.reasons) fmt::print("    {}\n", reason);
  }
}

// ctest takes one expression, and without a word runs no test if that is too long.
Expected<std::vector<std::string>> one_pattern(const std::vector<std::string>& names) {
  std::vector<std::string> patterns = ctest_patterns(names);
  if (patterns.size() == 1) return patterns;
  return usage_error(
      fmt::format("an expression for {} is longer than ctest can read; `--format ctest-names` prints their "
                  "names, for `ctest --tests-from-file FILE` (CMake 3.29 or later), and `--format "
                  "ctest-parts` {} expressions, one a line, for as many runs of ctest",
                  count_of(names.size(), "test"), patterns.size()));
}

Expected<void> print(const TestSelection& selected, const SelectCommandOptions& options) {
  if (options.format == "names") {
    print_names(selected, options);
    return {};
  }
  std::vector<const SuiteTest*> tests;
  for (const select::RankedTest& test : selected.selection.tests) {
    if (!test.is_selected() && !options.all) break;
    if (const SuiteTest* found = selected.suite.find(test.name)) tests.push_back(found);
  }
  RunnerArguments arguments =
      options.format == "gtest" ? gtest_commands(tests, selected.head_build.folder) : ctest_names(tests);
  if (options.format == "ctest") {
    Expected<std::vector<std::string>> pattern = one_pattern(arguments.lines);
    if (!pattern) return tl::unexpected(pattern.error());
    arguments.lines = std::move(*pattern);
  }
  if (options.format == "ctest-parts") arguments.lines = ctest_patterns(arguments.lines);
  for (const std::string& line : arguments.lines) fmt::print("{}\n", line);
  if (!arguments.inexpressible.empty())
    say(fmt::format(
        "not among them, since {}: {}",
        options.format == "gtest" ? "they are no cases of GoogleTest" : "CTest does not know them",
        fmt::join(arguments.inexpressible, ", ")));
  return {};
}

// "3 tests, A.b, A.c and 1 more"
std::string names_of(const std::vector<std::string>& tests) {
  std::vector<std::string> words(
      tests.begin(), tests.begin() + static_cast<std::ptrdiff_t>(std::min(kRemovedShown, tests.size())));
  if (tests.size() > kRemovedShown) words.push_back(fmt::format("{} more", tests.size() - kRemovedShown));
  return fmt::format("{}, {}", count_of(tests.size(), "test"), join_words(words));
}

void say_summary(const TestSelection& selected, bool explain) {
  const select::Selection& selection = selected.selection;
  if (!selected.gone.empty()) say(fmt::format("gone with this change: {}", names_of(selected.gone)));
  if (selected.is_empty_change) {
    say(fmt::format("nothing that {} compiles has another meaning than in {}: no test is selected",
                    selected.head_build.revision.name, selected.base_build.revision.name));
    return;
  }
  if (selected.recorded_on_base == 0)
    say(fmt::format(
        "the history knows nothing of {}, so every test is selected; `heddle record --head {}` records it",
        selected.base_build.revision.name, selected.base_build.revision.commit.substr(0, 12)));
  say(fmt::format("{} of {} selected; {} impacted of {}, {} that can race", selection.selected,
                  count_of(selection.tests.size(), "test"), selection.impacted_variables,
                  count_of(selection.shared_variables, "shared variable"),
                  count_of(selection.pairs, "pair")));
  for (const std::string& assumption : selection.assumptions) say(assumption);
  if (!selection.uncovered.empty())
    say(fmt::format("{} that no test covers{}", count_of(selection.uncovered.size(), "pair"),
                    explain ? ", the first:" : "; --explain shows some, --json all"));
  for (size_t i = 0; explain && i < std::min(kUncoveredShown, selection.uncovered.size()); ++i)
    say("  " + selection.uncovered[i]);
}

RunResult result_of(const TestSelection& selected, const SelectCommandOptions& options) {
  RunResult told;
  told.command = "select";
  told.complete = true;
  const select::Selection& selection = selected.selection;
  nlohmann::ordered_json tests = nlohmann::ordered_json::array();
  for (size_t i = 0; i < selection.tests.size(); ++i) {
    const select::RankedTest& test = selection.tests[i];
    if (!test.is_selected() && !options.all) break;
    tests.push_back({{"name", test.name},
                     {"selected", test.is_selected()},
                     {"rank", i + 1},
                     {"pairs", test.pairs},
                     {"reasons", test.reasons}});
  }
  told.own["tests"] = std::move(tests);
  told.own["selected"] = selection.selected;
  told.own["of"] = selection.tests.size();
  told.own["shared_variables"] = selection.shared_variables;
  told.own["impacted_variables"] = selection.impacted_variables;
  told.own["pairs"] = selection.pairs;
  told.own["uncovered"] = selection.uncovered;
  told.own["removed_tests"] = selected.gone;
  told.own["assumptions"] = selection.assumptions;
  told.own["analysis_cpu_seconds"] = selected.analysis_cpu_seconds;
  return told;
}

Expected<int> run(const SelectCommandOptions& options) {
  const auto started = std::chrono::steady_clock::now();
  const Expected<OpenedChange> opened = open_change(options, options.store);
  if (!opened) return tl::unexpected(opened.error());
  Expected<History> history = History::open(history_file(opened->store));
  if (!history) return tl::unexpected(history.error());
  Progress progress;
  const Expected<TestSelection> selected =
      select_for_change(opened->repository, opened->project, opened->revisions, *history,
                        {.store = opened->store,
                         .compilers = own_folder(),
                         .step = [&](const std::string& text) { progress.update([&] { return text; }); },
                         .select = {.seed = options.seed}});
  progress.clear();
  if (!selected) return tl::unexpected(selected.error());
  if (const Expected<void> printed = print(*selected, options); !printed)
    return tl::unexpected(printed.error());
  say_summary(*selected, options.explain);
  if (!options.json.empty()) {
    RunResult told = result_of(*selected, options);
    told.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
    const Expected<void> written = write_json(options.json, told);
    if (!written) return tl::unexpected(written.error());
  }
  return exit_code::kClean;
}

}  // namespace

void add_select_command(CLI::App& app, Invocation& invocation) {
  CLI::App* command = app.add_subcommand(
      "select", "which tests matter for a change, and in which order: heddle select --base REV");
  auto options = std::make_shared<SelectCommandOptions>();
  add_revision_options(*command, *options);
  command->add_flag("--all", options->all, "the other tests as well, after those that matter");
  command->add_flag("--explain", options->explain, "say why, for each test");
  command
      ->add_option("--format", options->format,
                   "how to print them: names; ctest (an expression for ctest -R), ctest-names, ctest-parts; "
                   "gtest (command lines)")
      ->capture_default_str()
      ->check(CLI::IsMember({"names", "ctest", "ctest-names", "ctest-parts", "gtest"}));
  command->add_option("--seed", options->seed, "breaks ties of the order")->check(whole_number());
  command->add_option("--store", options->store, "heddle's own folder (default: .heddle in the project)");
  command->add_option("--json", options->json, "file for the result");
  command->callback([&invocation, options] { invocation.action = [options] { return run(*options); }; });
}

}  // namespace heddle
