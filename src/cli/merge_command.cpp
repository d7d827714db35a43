// `heddle merge`: put together what was learned on several machines.
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "cli/command_line.h"
#include "history/history.h"
#include "report/text.h"

namespace heddle {
namespace {

struct MergeOptions {
  std::vector<std::string> files;
  std::string store = ".heddle";
};

Expected<int> merge(const MergeOptions& options) {
  Expected<History> history = History::open(history_file(options.store));
  if (!history) return tl::unexpected(history.error());
  if (!history->read_only_reason().empty()) return usage_error(history->read_only_reason());
  for (const std::string& file : options.files) {
    if (const Expected<void> merged = history->merge_from(file); !merged)
      return tl::unexpected(merged.error());
  }
  say(fmt::format("{} now knows what {} knew", history_file(options.store), join_words(options.files)));
  return exit_code::kClean;
}

}  // namespace

void add_merge_command(CLI::App& app, Invocation& invocation) {
  CLI::App* command = app.add_subcommand(
      "merge", "add what other histories know of tests to this project's: heddle merge FILE…");
  auto options = std::make_shared<MergeOptions>();
  command->add_option("FILE", options->files, "histories, such as another machine's .heddle/history.db")
      ->required();
  command->add_option("--store", options->store, "folder of the history to add to")->capture_default_str();
  command->callback([&invocation, options] {
    invocation.action = [options]() -> Expected<int> { return merge(*options); };
  });
}

}  // namespace heddle
