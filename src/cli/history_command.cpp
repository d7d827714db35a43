// `heddle history`: what is recorded of tests, and a history as a file, for a CI cache or another machine.
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "change/revision.h"
#include "cli/command_line.h"
#include "cli/project_store.h"
#include "history/history.h"
#include "history/transfer.h"
#include "report/text.h"

namespace heddle {
namespace {

struct HistoryOptions {
  std::vector<std::string> files;
  std::string store;  // empty: the project's
  std::string test;
};

// As `check` and `record` find it: in the project, wherever in it the user is.
Expected<std::filesystem::path> store_of(const HistoryOptions& options) {
  const std::filesystem::path here = std::filesystem::current_path();
  const Expected<Repository> repository = Repository::open(here);
  return prepare_store(options.store, repository ? repository->root() : here);
}

// Not made if there is none.
Expected<History> existing_history(const HistoryOptions& options, std::string* file) {
  const Expected<std::filesystem::path> store = store_of(options);
  if (!store) return tl::unexpected(store.error());
  *file = history_file(*store);
  if (std::error_code failed; !std::filesystem::exists(*file, failed))
    return usage_error(fmt::format("there is no history {}", *file));
  return History::open(*file);
}

Expected<int> run_import(const HistoryOptions& options) {
  const Expected<std::filesystem::path> store = store_of(options);
  if (!store) return tl::unexpected(store.error());
  Expected<History> history = History::open(history_file(*store));
  if (!history) return tl::unexpected(history.error());
  if (!history->read_only_reason().empty()) return usage_error(history->read_only_reason());
  for (const std::string& file : options.files) {
    if (const Expected<void> merged = import_history(*history, file); !merged)
      return tl::unexpected(merged.error());
  }
  say(fmt::format("{} now knows what {} knew", history_file(*store), join_words(options.files)));
  return exit_code::kClean;
}

Expected<int> run_export(const HistoryOptions& options) {
  std::string file;
  Expected<History> history = existing_history(options, &file);
  if (!history) return tl::unexpected(history.error());
  if (const Expected<void> done = export_history(*history, options.files.front()); !done)
    return tl::unexpected(done.error());
  say(fmt::format("{} is now in {}", file, options.files.front()));
  return exit_code::kClean;
}

std::string tree_text(const TreeVersion& tree) {
  if (tree.content == 0) return "an unknown version";
  const std::string commit = tree.revision.substr(0, 12);
  return tree.is_working_tree ? "a working tree at " + commit : commit;
}

void print_brief(const KnownTest& known) {
  const TestRecord& record = known.record;
  fmt::print("{}: {}, {:.1f} ms, {}, {} in {}, of {}\n", record.key.test, record.outcome,
             static_cast<double>(record.microseconds) / 1000, count_of(record.threads, "thread"),
             count_of(record.findings.size(), "finding"), count_of(record.functions.size(), "function"),
             tree_text(known.tree));
}

void print_in_full(const KnownTest& known) {
  print_brief(known);
  for (const RecordedFinding& finding : known.record.findings)
    fmt::print("  {}: {} ({})\n", finding.kind, printable(finding.message), finding.fingerprint.substr(0, 8));
  for (const auto& function : known.record.functions) {
    fmt::print("  {} {}: {}, {} of what threads share\n", function->file, function->function,
               count_of(function->blocks.size(), "block"), count_of(function->accesses.size(), "use"));
  }
}

// What is recorded of each test, or of one test in full.
Expected<int> run_show(const HistoryOptions& options) {
  std::string file;
  Expected<History> history = existing_history(options, &file);
  if (!history) return tl::unexpected(history.error());
  if (options.test.empty()) {
    const Expected<std::vector<KnownTest>> tests = history->records().load_all(0);
    if (!tests) return tl::unexpected(tests.error());
    for (const KnownTest& known : *tests) print_brief(known);
    if (tests->empty()) say(fmt::format("{} has no record of a test; `heddle record` makes them", file));
    return exit_code::kClean;
  }
  const Expected<std::optional<KnownTest>> known = history->records().load(options.test, 0);
  if (!known) return tl::unexpected(known.error());
  if (!*known) return usage_error(fmt::format("{} has no record of test {}", file, options.test));
  print_in_full(**known);
  return exit_code::kClean;
}

void add_import(CLI::App* command, Invocation& invocation) {
  auto options = std::make_shared<HistoryOptions>();
  command->add_option("FILE", options->files, "exported ones, or another machine's .heddle/history.db")
      ->required();
  command->add_option("--store", options->store, "folder of the history (default: .heddle in the project)");
  command->callback([&invocation, options] {
    invocation.action = [options]() -> Expected<int> { return run_import(*options); };
  });
}

}  // namespace

void add_history_command(CLI::App& app, Invocation& invocation) {
  CLI::App* command =
      app.add_subcommand("history", "what is known of tests: show it, carry it from machine to machine");
  command->require_subcommand(1);
  CLI::App* exporting = command->add_subcommand(
      "export", "write all that is known to one file; compressed if it ends in .zst: export FILE");
  auto options = std::make_shared<HistoryOptions>();
  exporting->add_option("FILE", options->files, "file to write")->required()->expected(1);
  exporting->add_option("--store", options->store, "folder of the history (default: .heddle in the project)");
  exporting->callback([&invocation, options] {
    invocation.action = [options]() -> Expected<int> { return run_export(*options); };
  });
  CLI::App* showing =
      command->add_subcommand("show", "what is recorded of each test, or of one: show [TEST]");
  auto shown = std::make_shared<HistoryOptions>();
  showing->add_option("TEST", shown->test, "a test by its name: in full");
  showing->add_option("--store", shown->store, "folder of the history (default: .heddle in the project)");
  showing->callback(
      [&invocation, shown] { invocation.action = [shown]() -> Expected<int> { return run_show(*shown); }; });
  add_import(command->add_subcommand("import", "add what such files know: import FILE…"), invocation);
}

}  // namespace heddle
