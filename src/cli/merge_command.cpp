// `heddle merge`: what shards have left behind, put together: histories and results.
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "change/revision.h"
#include "cli/command_line.h"
#include "cli/project_store.h"
#include "history/history.h"
#include "history/transfer.h"
#include "report/merge_results.h"
#include "report/run_result.h"
#include "report/text.h"

namespace heddle {
namespace {

namespace fs = std::filesystem;

struct MergeOptions {
  std::vector<std::string> files;
  std::string store;  // empty: the project's
  std::string json;
};

// A history is a database, or compressed.
bool is_result(const std::string& file) {
  std::ifstream in(file);
  char first = 0;
  return in >> first && first == '{';
}

Expected<void> merge_histories(const MergeOptions& options, const std::vector<std::string>& files) {
  const fs::path here = fs::current_path();
  const Expected<Repository> repository = Repository::open(here);
  const Expected<fs::path> store = prepare_store(options.store, repository ? repository->root() : here);
  if (!store) return tl::unexpected(store.error());
  Expected<History> history = History::open(history_file(*store));
  if (!history) return tl::unexpected(history.error());
  if (!history->read_only_reason().empty()) return usage_error(history->read_only_reason());
  for (const std::string& file : files)
    if (const Expected<void> merged = import_history(*history, file); !merged) return merged;
  say(fmt::format("{} now knows what {} knew", history_file(*store), join_words(files)));
  return {};
}

Expected<int> merge_json(const MergeOptions& options, const std::vector<std::string>& files) {
  std::vector<nlohmann::ordered_json> results;
  for (const std::string& file : files) {
    std::ifstream in(file);
    results.push_back(nlohmann::ordered_json::parse(in, nullptr, /*allow_exceptions=*/false));
  }
  const Expected<nlohmann::ordered_json> all = merge_results(results, files);
  if (!all) return tl::unexpected(all.error());
  if (!options.json.empty())
    if (const Expected<void> written = write_json(options.json, *all); !written)
      return tl::unexpected(written.error());
  for (const nlohmann::ordered_json& finding : (*all)["findings"])
    say(fmt::format("{}: {}: {}", finding.value("status", ""), finding.value("kind", ""),
                    printable(finding.value("message", ""))));
  const size_t is_new = count_findings(*all, "new");
  say(fmt::format("{}: {}, {} known{}", count_of(files.size(), "result"), count_of(is_new, "new finding"),
                  count_findings(*all, "known"), all->value("complete", false) ? "" : "; not complete"));
  // Without a base nothing is new, and a search that finds something says so.
  return is_new != 0 || count_findings(*all, "unknown") != 0 ? exit_code::kFindings : exit_code::kClean;
}

Expected<int> run(const MergeOptions& options) {
  std::vector<std::string> results, histories;
  for (const std::string& file : options.files) (is_result(file) ? results : histories).push_back(file);
  if (results.empty() && !options.json.empty())
    return usage_error("--json is for results that are put together; these files are none");
  if (!histories.empty())
    if (const Expected<void> merged = merge_histories(options, histories); !merged)
      return tl::unexpected(merged.error());
  return results.empty() ? Expected<int>(exit_code::kClean) : merge_json(options, results);
}

}  // namespace

void add_merge_command(CLI::App& app, Invocation& invocation) {
  CLI::App* command = app.add_subcommand(
      "merge", "put together what shards have left: histories, and results of --json: heddle merge FILE…");
  auto options = std::make_shared<MergeOptions>();
  command
      ->add_option("FILE", options->files,
                   "histories (exported, or another machine's .heddle/history.db), which the project's then "
                   "knows, and results of --json")
      ->required();
  command->add_option("--json", options->json, "write all results as one to this file");
  command->add_option("--store", options->store, "folder of the history (default: .heddle in the project)");
  command->callback(
      [&invocation, options] { invocation.action = [options]() -> Expected<int> { return run(*options); }; });
}

}  // namespace heddle
