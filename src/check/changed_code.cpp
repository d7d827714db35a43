#include "check/changed_code.h"

#include <algorithm>
#include <optional>

namespace heddle {
namespace {

// "Cache::get" of "Cache::get(int) const".
std::string bare_name(const std::string& function) {
  return function.substr(0, function.find('('));
}

// "get" of "Cache<std::string>::get<int>".
std::string last_name(const std::string& full) {
  std::string name;
  int depth = 0;
  for (const char c : full) {
    if (c == '<') ++depth;
    if (depth == 0) name += c;
    if (c == '>' && depth > 0) --depth;
  }
  const size_t at = name.rfind("::");
  return at == std::string::npos ? name : name.substr(at + 2);
}

}  // namespace

ChangedCode::ChangedCode(const SourceChange& change, const std::map<std::string, std::string>& flags) {
  std::map<std::string, std::string> old_paths;
  for (const FileChange& file : change.files) old_paths[file.new_path] = file.old_path;
  for (const auto& [file, why] : flags) {
    const auto renamed = old_paths.find(file);
    files_.insert(renamed != old_paths.end() ? renamed->second : file);
  }
  for (const StatementChange& statement : change.statements.changes()) {
    if (statement.old_statement)
      add(statement.old_statement->function, change.statements);
    else if (!statement.new_statement)
      is_everything_ = true;  // text that was not understood
    else if (const auto old = change.statements.to_old(statement.new_statement->function))
      add(*old, change.statements);
    // A new function is reached by its callers, which have changed, too: unless it is called in place of
    // another one of its name, because it overrides it or fits better.
    else
      names_.insert(last_name(bare_name(statement.new_statement->function.signature)));
  }
}

bool ChangedCode::is_reached_by(const FunctionActivity& activity) const {
  if (is_everything_ || files_.contains(activity.file)) return true;
  const std::string name = bare_name(activity.function);
  if (functions_.contains({activity.file, name}) || names_.contains(last_name(name))) return true;
  const auto lines = lines_.find(activity.file);
  if (lines == lines_.end()) return false;
  return std::any_of(activity.blocks.begin(), activity.blocks.end(), [&](const auto& block) {
    return std::any_of(lines->second.begin(), lines->second.end(), [&](const auto& range) {
      return range.first <= block.line && block.line <= range.second;
    });
  });
}

void ChangedCode::add(const FunctionId& function, const StatementMap& statements) {
  if (!known_.insert(function).second) return;
  functions_.insert({function.file, bare_name(function.signature)});
  std::optional<std::pair<uint32_t, uint32_t>> range;
  StatementId id{function, 0};
  for (const SourceStatement* at = nullptr; (at = statements.find_base(id)) != nullptr; ++id.index) {
    if (!range) range = {at->range.first_line, at->range.last_line};
    range->first = std::min(range->first, at->range.first_line);
    range->second = std::max(range->second, at->range.last_line);
  }
  if (range) lines_[function.file].push_back(*range);
}

std::set<std::string> tests_reaching(const SourceChange& change,
                                     const std::map<std::string, std::string>& flags,
                                     const std::vector<KnownTest>& history) {
  const ChangedCode changed(change, flags);
  std::map<const FunctionActivity*, bool> asked;  // tests have many in common
  std::set<std::string> tests;
  for (const KnownTest& test : history) {
    if (!test.is_of_tree) continue;
    for (const auto& function : test.record.functions) {
      const auto [known, is_new] = asked.try_emplace(function.get(), false);
      if (is_new) known->second = changed.is_reached_by(*function);
      if (!known->second) continue;
      tests.insert(test.record.key.test);
      break;
    }
  }
  return tests;
}

}  // namespace heddle
