// `heddle generate`: concurrent tests for a class, which find its thread-safety bugs.
#include <filesystem>
#include <memory>

#include <fmt/format.h>

#include "check/test_selection.h"
#include "cli/analysis_report.h"
#include "cli/budget.h"
#include "cli/changed_classes_run.h"
#include "cli/command_line.h"
#include "cli/generate_run.h"
#include "cli/opened_change.h"
#include "cli/progress.h"
#include "cli/project_store.h"
#include "cli/reports.h"
#include "cli/revision_options.h"
#include "cli/test_options.h"
#include "generate/database_sources.h"
#include "generate/folder_lock.h"
#include "generate/identifiers.h"
#include "generate/read_class.h"
#include "report/text.h"
#include "support/interruption.h"

namespace heddle {
namespace fs = std::filesystem;
namespace {

struct GenerateCommandOptions : RevisionOptions {
  bool changed = false;
  std::string class_name;
  generate::ClassSources sources;
  std::vector<std::string> includes;
  std::vector<std::string> defines;
  std::string standard;
  std::string database;
  std::string pools;
  std::string out = "tests/generated";
  bool force = false;
  bool list = false;
  std::string budget = "60s";
  uint64_t seed = 1;
  uint32_t threads = 2;
  size_t most_failures = 10;
  std::string store;
  ReportOptions report;
  std::string suppressions;
};

std::string absolute(const std::string& path) {
  std::error_code failed;
  return fs::absolute(path, failed).lexically_normal().string();
}

Expected<generate::ClassSources> class_sources(const GenerateCommandOptions& options) {
  generate::ClassSources sources = options.sources;
  for (const std::string& folder : options.includes) sources.flags.push_back("-I" + absolute(folder));
  for (const std::string& define : options.defines) sources.flags.push_back("-D" + define);
  for (std::string& source : sources.sources) {
    std::error_code failed;
    if (!fs::is_regular_file(source, failed))
      return usage_error(fmt::format("there is no source {}", source));
    source = absolute(source);
  }
  // What is a file is meant as one, whatever folder the linker runs in.
  for (std::string& library : sources.libraries) {
    std::error_code failed;
    if (fs::exists(library, failed))
      library = absolute(library);
    else if (!library.starts_with('-'))
      library = "-l" + library;
  }
  if (!options.database.empty()) {
    if (const Expected<void> added = generate::add_from_database(options.database, &sources); !added)
      return tl::unexpected(added.error());
  }
  if (!options.standard.empty()) {
    sources.flags.push_back("-std=" + options.standard);
  } else if (options.database.empty()) {
    sources.flags.insert(sources.flags.begin(), "-std=c++20");
  }
  generate::place_headers(&sources);
  return sources;
}

void list_model(const generate::Driver& driver) {
  fmt::print("{}\n", driver.model.name);
  const auto list = [&](const std::string& title, const std::vector<generate::Callable>& callables,
                        bool constructors) {
    fmt::print("\n{}:\n", title);
    for (uint32_t i = 0; i < callables.size(); ++i) {
      std::vector<std::string> labels;
      for (const generate::Operation& operation : driver.operations.operations)
        if (operation.is_constructor == constructors && operation.callable == i)
          labels.push_back(operation.label);
      if (labels.empty()) continue;
      fmt::print("  {}\n      {}\n", callables[i].signature(), fmt::join(labels, "\n      "));
    }
  };
  list("made by", driver.model.constructors, true);
  list("calls", driver.model.methods, false);
  if (!driver.unusable.empty()) fmt::print("\nnot called:\n");
  for (const generate::Unusable& unusable : driver.unusable) {
    fmt::print("  {}\n      {}\n", unusable.signature, unusable.reason);
    if (!unusable.help.empty()) fmt::print("      {}\n", unusable.help);
  }
}

Expected<int> list_classes(const generate::ClassSources& sources) {
  const Expected<std::vector<std::string>> classes =
      generate::list_classes(sources, own_folder() / "heddle-class-reader");
  if (!classes) return tl::unexpected(classes.error());
  for (const std::string& name : *classes) fmt::print("{}\n", name);
  return exit_code::kClean;
}

Expected<generate::Driver> make_driver(const GenerateCommandOptions& options,
                                       const generate::ClassSources& sources, const fs::path& folder) {
  generate::DriverOptions building{.folder = folder, .compilers = own_folder(), .pools = {}, .step = {}};
  if (!options.pools.empty()) {
    Expected<generate::UserPools> pools = generate::read_user_pools(options.pools);
    if (!pools) return tl::unexpected(pools.error());
    building.pools = std::move(*pools);
  }
  Progress progress;
  building.step = [&](const std::string& text) { progress.update([&] { return text; }); };
  return generate::build_driver(options.class_name, sources, building);
}

int interrupted() {
  say("interrupted");
  return exit_code::kInterrupted;
}

std::string shell_word(const std::string& word) {
  constexpr std::string_view kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=/.,:@%";
  if (!word.empty() && word.find_first_not_of(kPlain) == std::string::npos) return word;
  std::string quoted = "'";
  for (const char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

// Compiles and runs what was written.
std::string test_command(const generate::ClassSources& sources, const generate::Driver& driver,
                         const generate::TestFolder& output) {
  std::error_code failed;
  std::vector<std::string> words = {"heddle", "c++"};
  const auto add = [&](const std::vector<std::string>& more) {
    for (const std::string& word : more) words.push_back(shell_word(word));
  };
  if (!sources.compiler.empty()) add({"--heddle-compiler=" + sources.compiler});
  add(sources.flags);
  // Others may lie there from earlier runs.
  for (const fs::path& file : output.written()) add({fs::relative(file, failed).string()});
  add(sources.sources);
  add(sources.libraries);
  words.emplace_back("-lgtest_main");
  if (!driver.archive.empty()) add({driver.archive.string()});
  for (const char* word : {"-lgtest", "-pthread", "-o", "generated_tests"}) words.emplace_back(word);
  return fmt::format("{} && heddle run -- ./generated_tests", fmt::join(words, " "));
}

Expected<int> finish(const GenerateCommandOptions& options, const Reports& reports,
                     const AnalysisReport& report, const RunResult& result,
                     const generate::TestFolder& output, const std::string& command) {
  if (!output.written().empty()) {
    say(fmt::format("{} written to {}{}", count_of(output.written().size(), "file"), output.path().string(),
                    command.empty() ? "" : "; to build and run them:"));
    if (!command.empty()) say("  " + command);
  }
  if (!options.suppressions.empty()) say_unused(report.suppressions(), options.suppressions);
  if (const Expected<void> written = reports.write(result); !written) return tl::unexpected(written.error());
  if (was_interrupted()) return interrupted();
  return result.findings.empty() ? exit_code::kClean : exit_code::kFindings;
}

Expected<int> look_at_change(const GenerateCommandOptions& options, const Reports& reports,
                             std::chrono::milliseconds budget) {
  const Expected<OpenedChange> opened = open_change(options, options.store);
  if (!opened) return tl::unexpected(opened.error());
  Expected<generate::TestFolder> output = generate::TestFolder::open(options.out, options.force);
  if (!output) return tl::unexpected(output.error());
  Expected<Suppressions> suppressions =
      read_suppressions(options.suppressions, opened->project, opened->repository.root());
  if (!suppressions) return tl::unexpected(suppressions.error());
  Expected<History> history = History::open(history_file(opened->store));
  if (!history) return tl::unexpected(history.error());
  end_jobs_on_interruption();
  Progress progress;
  const auto step = [&](const std::string& text) { progress.update([&] { return text; }); };
  const Expected<TestSelection> selected =
      select_for_change(opened->repository, opened->project, opened->revisions, *history,
                        {.store = opened->store, .compilers = own_folder(), .step = step, .select = {}});
  progress.clear();
  if (!selected) return tl::unexpected(selected.error());
  AnalysisReport report(
      std::move(*suppressions), (opened->store / "failures" / "").string(),
      reports.evidence(selected->head_build.source.string(), selected->head_build.source.string()));
  ChangedClassesRun generating(selected->base_build, selected->head_build, *output, report,
                               {.store = opened->store,
                                .budget = budget,
                                .compiler = opened->project.cxx_compiler,
                                .seed = options.seed,
                                .threads = options.threads,
                                .most_failures = options.most_failures,
                                .step = step});
  const Expected<void> done = generating.run(selected->change, selected->selection.uncovered_functions);
  progress.clear();
  if (!done) return tl::unexpected(done.error());
  return finish(options, reports, report, generating.take_result(), *output, "");
}

// What must be said, and what goes without saying.
Expected<void> check_options(const GenerateCommandOptions& options) {
  if (options.changed) {
    if (options.base.empty()) return usage_error("--changed needs --base: the revision to compare with");
    if (!options.class_name.empty() || !options.sources.headers.empty())
      return usage_error("--changed finds the classes itself: leave --class and --header out");
    return {};
  }
  if (!options.base.empty() || !options.head.empty())
    return usage_error("--base and --head go with --changed");
  if (options.sources.headers.empty())
    return usage_error("where is the class? Name its header: --header cache.h");
  if (options.class_name.empty() && !options.list)
    return usage_error("which class? --class ns::Cache; --list without it lists those of the header");
  return {};
}

Expected<int> run(const GenerateCommandOptions& options) {
  if (const Expected<void> checked = check_options(options); !checked) return tl::unexpected(checked.error());
  const Expected<std::chrono::milliseconds> budget = parse_budget(options.budget);
  if (!budget) return tl::unexpected(budget.error());
  const Expected<Reports> reports = Reports::open(options.report);
  if (!reports) return tl::unexpected(reports.error());
  if (options.changed) return look_at_change(options, *reports, *budget);
  const Expected<generate::ClassSources> sources = class_sources(options);
  if (!sources) return tl::unexpected(sources.error());
  if (options.class_name.empty()) return list_classes(*sources);
  // Before anything is made.
  Expected<std::optional<generate::TestFolder>> output = std::nullopt;
  if (!options.list) {
    Expected<generate::TestFolder> opened = generate::TestFolder::open(options.out, options.force);
    if (!opened) return tl::unexpected(opened.error());
    output = std::move(*opened);
  }
  std::error_code failed;
  const Expected<fs::path> store = prepare_store(options.store, fs::current_path(failed));
  if (!store) return tl::unexpected(store.error());
  const fs::path folder = *store / "generate" / generate::identifier(options.class_name);
  const Expected<generate::FolderLock> lock = generate::FolderLock::take(folder);
  if (!lock) return tl::unexpected(lock.error());
  end_jobs_on_interruption();
  const Expected<generate::Driver> driver = make_driver(options, *sources, folder);
  if (was_interrupted()) return interrupted();
  if (!driver) return tl::unexpected(driver.error());
  if (options.list) {
    list_model(*driver);
    return exit_code::kClean;
  }
  TestOptions reading;
  reading.suppressions = options.suppressions;
  Expected<Suppressions> suppressions = reading.read_suppressions();
  if (!suppressions) return tl::unexpected(suppressions.error());
  AnalysisReport report(std::move(*suppressions), (folder / "failures" / "").string(), reports->evidence());
  const Expected<generate::TestWriter::Options> tests = test_writer_options(*sources, folder / "tests");
  if (!tests) return tl::unexpected(tests.error());
  GenerateRun generating(*driver, **output, report,
                         {.folder = folder,
                          .budget = *budget,
                          .seed = options.seed,
                          .threads = options.threads,
                          .most_failures = options.most_failures,
                          .tests = *tests,
                          .is_known = {}});
  const Expected<RunResult> result = generating.run();
  if (!result) return tl::unexpected(result.error());
  return finish(options, *reports, report, *result, **output, test_command(*sources, *driver, **output));
}

}  // namespace

void add_generate_command(CLI::App& app, Invocation& invocation) {
  CLI::App* command = app.add_subcommand(
      "generate",
      "concurrent tests that find the bugs of a class: heddle generate --class NAME --header FILE");
  auto options = std::make_shared<GenerateCommandOptions>();
  add_revision_options(*command, *options);
  command->get_option("--base")->required(false);
  command->add_flag("--changed", options->changed,
                    "the classes that the change from --base to --head touches; tells what is new");
  command->add_option("--class", options->class_name, "the class, with its namespace and template arguments");
  command->add_option("--header", options->sources.headers, "header to include; may be given again");
  command->add_option("--source", options->sources.sources, "source to compile with it; may be given again");
  command->add_option("--lib", options->sources.libraries,
                      "library to link: a file, a name, or an argument of the linker; may be given again");
  command->add_option("--include", options->includes, "folder for headers; may be given again");
  command->add_option("--define", options->defines, "macro, or macro=value; may be given again");
  command->add_option("--flag", options->sources.flags, "any other flag of the compiler; may be given again");
  command->add_option("--std", options->standard, "language standard: c++17, c++20, … (default: c++20)");
  command->add_option(
      "--compile-db", options->database,
      "compile_commands.json or its folder: flags, compiler and sources are taken from there");
  command->add_option("--compiler", options->sources.compiler, "the compiler (default: that of heddle c++)");
  command->add_option("--pools", options->pools,
                      "file with values for parameters, calls to skip and invariants (docs/generate.md)");
  command->add_option("--out", options->out, "folder for the tests")->capture_default_str();
  command->add_flag("--force", options->force, "write into a folder that has files in it");
  command->add_flag("--list", options->list, "only say how objects are made and what can be called");
  command->add_option("--budget", options->budget, "stop after this time, compiling not counted: 30s, 5m")
      ->capture_default_str();
  command->add_option("--seed", options->seed, "for what is chosen by chance")
      ->capture_default_str()
      ->check(whole_number());
  command->add_option("--threads", options->threads, "threads of a test: 2 or 3")
      ->capture_default_str()
      ->check(CLI::Range(2, 3));
  command->add_option("--max-bugs", options->most_failures, "stop after so many failures")
      ->capture_default_str()
      ->check(whole_number(1));
  command->add_option("--store", options->store, "heddle's own folder (default: .heddle)");
  command->add_option("--suppressions", options->suppressions, "file in ThreadSanitizer's syntax");
  add_report_options(*command, options->report);
  command->callback([&invocation, options] { invocation.action = [options] { return run(*options); }; });
}

}  // namespace heddle
