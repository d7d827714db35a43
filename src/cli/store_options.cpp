#include "cli/store_options.h"

#include "cli/command_line.h"

namespace heddle {

Expected<std::optional<History>> StoreOptions::open() const {
  if (no_store) return std::nullopt;
  Expected<History> history = History::open(history_file(store));
  if (!history) return tl::unexpected(history.error());
  if (!history->read_only_reason().empty()) say(history->read_only_reason());
  return std::optional<History>(std::move(*history));
}

void add_store_options(CLI::App& command, StoreOptions& options) {
  command.add_option("--store", options.store, "folder of what is remembered of tests")
      ->capture_default_str();
  command.add_flag("--no-store", options.no_store, "neither use nor keep what is learned of the test");
}

}  // namespace heddle
