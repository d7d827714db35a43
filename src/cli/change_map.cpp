#include "cli/change_map.h"

#include <algorithm>
#include <map>
#include <set>

namespace heddle {
namespace {

struct FileInTheMaking {
  ReportedFile file;
  std::set<uint32_t> lines;
};

// In the head, the statement that comes after one which is not there any more.
const SourceStatement* next_in_head(const StatementMap& map, StatementId removed) {
  while (map.find_base(removed) != nullptr) {
    if (const std::optional<StatementId> after = map.to_new(removed)) return map.find_head(*after);
    ++removed.index;
  }
  return nullptr;
}

// A function's statements, from the first to the last line.
SourceRange statements_of(const StatementMap& map, const FunctionId& function) {
  SourceRange range;
  StatementId id{function, 0};
  for (const SourceStatement* statement; (statement = map.find_head(id)) != nullptr; ++id.index) {
    if (id.index == 0) range.first_line = statement->range.first_line;
    range.last_line = std::max(range.last_line, statement->range.last_line);
  }
  return range;
}

ReportedFunction reported(const StatementMap& map, const FunctionChange& change) {
  if (!change.new_function) return {.name = change.old_function->signature, .how = "removed"};
  const SourceRange range = statements_of(map, *change.new_function);
  return {.name = change.new_function->signature,
          .line = range.first_line,
          .end = range.last_line,
          .how = change.old_function ? "changed" : "added"};
}

}  // namespace

std::vector<ReportedFile> change_map(const SourceChange& change) {
  std::map<std::string, FileInTheMaking> files;  // by path, of the head if there is one
  const auto file = [&](const std::string& path) -> FileInTheMaking& {
    FileInTheMaking& found = files[path];
    if (found.file.path.empty()) found.file = {.path = path, .how = "changed"};
    return found;
  };
  for (const FileChange& changed : change.files) {
    ReportedFile& told = file(changed.new_path.empty() ? changed.old_path : changed.new_path).file;
    if (changed.old_path.empty())
      told.how = "added";
    else if (changed.new_path.empty())
      told.how = "removed";
    else if (changed.old_path != changed.new_path)
      told.old_path = changed.old_path;
  }
  const StatementMap& map = change.statements;
  for (const FunctionChange& function : map.functions()) {
    const FunctionId& id = function.new_function ? *function.new_function : *function.old_function;
    file(id.file).file.functions.push_back(reported(map, function));
  }
  for (const StatementChange& statement : map.changes()) {
    const std::optional<StatementId>& now = statement.new_statement;
    const SourceStatement* found = now                       ? map.find_head(*now)
                                   : statement.old_statement ? next_in_head(map, *statement.old_statement)
                                                             : nullptr;
    if (found == nullptr) continue;
    const std::string path = now ? now->function.file : statement.old_statement->function.file;
    // Of a removed statement the line is that of its neighbour only.
    const uint32_t last = now ? found->range.last_line : found->range.first_line;
    for (uint32_t line = found->range.first_line; line <= last; ++line) file(path).lines.insert(line);
  }
  std::vector<ReportedFile> result;
  for (auto& [path, made] : files) {
    made.file.changed_lines.assign(made.lines.begin(), made.lines.end());
    std::sort(made.file.functions.begin(), made.file.functions.end(),
              [](const ReportedFunction& a, const ReportedFunction& b) { return a.line < b.line; });
    result.push_back(std::move(made.file));
  }
  return result;
}

ChangedLines changed_lines(const std::vector<ReportedFile>& change) {
  ChangedLines lines;
  for (const ReportedFile& file : change)
    lines[file.path].insert(file.changed_lines.begin(), file.changed_lines.end());
  return lines;
}

}  // namespace heddle
