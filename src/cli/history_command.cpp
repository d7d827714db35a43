// `heddle history export`, `heddle history import`: a history as a file, for a CI cache or another machine.
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "cli/command_line.h"
#include "history/history.h"
#include "history/transfer.h"
#include "report/text.h"

namespace heddle {
namespace {

struct HistoryOptions {
  std::vector<std::string> files;
  std::string store = ".heddle";
};

Expected<int> run_import(const HistoryOptions& options) {
  Expected<History> history = History::open(history_file(options.store));
  if (!history) return tl::unexpected(history.error());
  if (!history->read_only_reason().empty()) return usage_error(history->read_only_reason());
  for (const std::string& file : options.files) {
    if (const Expected<void> merged = import_history(*history, file); !merged)
      return tl::unexpected(merged.error());
  }
  say(fmt::format("{} now knows what {} knew", history_file(options.store), join_words(options.files)));
  return exit_code::kClean;
}

Expected<int> run_export(const HistoryOptions& options) {
  const std::string file = history_file(options.store);
  if (std::error_code failed; !std::filesystem::exists(file, failed))
    return usage_error(fmt::format("there is no history {}", file));
  Expected<History> history = History::open(file);
  if (!history) return tl::unexpected(history.error());
  if (const Expected<void> done = export_history(*history, options.files.front()); !done)
    return tl::unexpected(done.error());
  say(fmt::format("{} is now in {}", file, options.files.front()));
  return exit_code::kClean;
}

void add_import(CLI::App* command, Invocation& invocation) {
  auto options = std::make_shared<HistoryOptions>();
  command->add_option("FILE", options->files, "exported ones, or another machine's .heddle/history.db")
      ->required();
  command->add_option("--store", options->store, "folder of the history to add to")->capture_default_str();
  command->callback([&invocation, options] {
    invocation.action = [options]() -> Expected<int> { return run_import(*options); };
  });
}

}  // namespace

void add_history_command(CLI::App& app, Invocation& invocation) {
  CLI::App* command = app.add_subcommand("history", "carry what is known of tests from machine to machine");
  command->require_subcommand(1);
  CLI::App* exporting = command->add_subcommand(
      "export", "write all that is known to one file; compressed if it ends in .zst: export FILE");
  auto options = std::make_shared<HistoryOptions>();
  exporting->add_option("FILE", options->files, "file to write")->required()->expected(1);
  exporting->add_option("--store", options->store, "folder of the history")->capture_default_str();
  exporting->callback([&invocation, options] {
    invocation.action = [options]() -> Expected<int> { return run_export(*options); };
  });
  add_import(command->add_subcommand("import", "add what such files know: import FILE…"), invocation);
}

// The same as `history import`, under the name that a search on several machines has for it.
void add_merge_command(CLI::App& app, Invocation& invocation) {
  add_import(app.add_subcommand("merge",
                                "add what other histories know of tests to this project's: "
                                "heddle merge FILE…"),
             invocation);
}

}  // namespace heddle
