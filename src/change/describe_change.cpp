#include "change/describe_change.h"

#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

#include "change/declaration_match.h"
#include "change/readable_text.h"
#include "change/statement_index.h"

namespace heddle {
namespace {

constexpr size_t kLongestStatement = 100;

std::string count_of(size_t count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

std::string shortened(const std::string& spaced) {
  const std::string text = readable_text(spaced);
  if (text.size() <= kLongestStatement) return text;
  size_t end = kLongestStatement;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) --end;  // not within a character
  return text.substr(0, end) + "…";
}

char sign_of(ChangeKind kind) {
  return kind == ChangeKind::kAdded ? '+' : kind == ChangeKind::kRemoved ? '-' : '~';
}

struct Line {
  uint32_t line = 0;  // of the new version, or of the old one for what is gone
  bool is_gone = false;
  std::string text;

  auto operator<=>(const Line&) const = default;
};

struct FunctionEntry {
  std::string note;  // "added", "removed", "was Cache::lookup(int) in src/old.cpp"
  std::vector<Line> lines;
};

struct FileEntry {
  std::string note;
  std::map<std::string, FunctionEntry> functions;  // by signature
};

std::string describe(const DeclarationChange& change) {
  const SourceDeclaration& shown = change.after ? *change.after : *change.before;
  const std::string what = fmt::format("{} {}", kind_name(shown.kind), shown.name);
  if (!change.before) return fmt::format("+ {}: {}", what, shortened(shown.text));
  if (!change.after) return fmt::format("- {}: {}", what, shortened(shown.text));
  const std::string was = change.before->name == shown.name ? "" : " " + change.before->name;
  std::string text =
      fmt::format("~ {}: {}, was{} {}", what, shortened(shown.text), was, shortened(change.before->text));
  if (change.before->compiled_if != shown.compiled_if)
    text += fmt::format("   ({})", change_of_condition(change.before->compiled_if, shown.compiled_if));
  return text;
}

class Collector {
 public:
  explicit Collector(const SourceChange& change) : map_(change.statements) {
    for (const FileChange& file : change.files) {
      FileEntry& entry = files_[file.new_path.empty() ? file.old_path : file.new_path];
      if (file.old_path.empty()) entry.note = "added";
      if (file.new_path.empty()) entry.note = "removed";
      if (!file.old_path.empty() && !file.new_path.empty() && file.old_path != file.new_path)
        entry.note = "was " + file.old_path;
      if (entry.note == "was " + file.old_path) moved_[file.old_path] = file.new_path;
    }
    for (const std::string& path : change.opaque) {
      std::string& note = files_[path].note;
      note += note.empty() ? "not C or C++" : ", not C or C++";
    }
    for (const FunctionChange& function : map_.functions()) add(function);
    for (const StatementChange& statement : map_.changes()) add(statement);
  }

  std::map<std::string, FileEntry> take() {
    for (auto& [path, file] : files_)
      for (auto& [signature, function] : file.functions) std::ranges::sort(function.lines);
    return std::move(files_);
  }

 private:
  void add(const FunctionChange& change) {
    const FunctionId& id = change.new_function ? *change.new_function : *change.old_function;
    if (has_only_moved_with_its_file(change)) return;
    FunctionEntry& entry = files_[id.file].functions[id.signature];
    if (!change.old_function) {
      entry.note = "added";
    } else if (!change.new_function) {
      entry.note = "removed";
    } else if (change.renamed) {
      entry.note = "was " + change.old_function->signature;
      if (change.old_function->file != id.file) entry.note += " in " + change.old_function->file;
    }
  }

  bool has_only_moved_with_its_file(const FunctionChange& change) const {
    if (!change.old_function || !change.new_function) return false;
    const auto moved = moved_.find(change.old_function->file);
    return change.old_function->signature == change.new_function->signature && moved != moved_.end() &&
           moved->second == change.new_function->file;
  }

  void add(const StatementChange& change) {
    if (!change.new_statement && !change.old_statement) return;  // of no function
    const bool is_gone = !change.new_statement.has_value();
    const StatementId& id = is_gone ? *change.old_statement : *change.new_statement;
    const SourceStatement* now = is_gone ? map_.find_base(id) : map_.find_head(id);
    if (now == nullptr) return;
    std::string text = fmt::format("{} {:>5}  {}", sign_of(change.kind), now->range.first_line,
                                   now->kind == StatementKind::kScopeEnd ? "}" : shortened(now->text));
    if (change.kind == ChangeKind::kModified) text += reason_of(change, *now);
    place_of(change, id).lines.push_back({now->range.first_line, is_gone, std::move(text)});
  }

  std::string reason_of(const StatementChange& change, const SourceStatement& now) const {
    if (!change.because.empty()) return fmt::format("   ({})", change.because);
    const SourceStatement* old = change.old_statement ? map_.find_base(*change.old_statement) : nullptr;
    return old == nullptr || old->text == now.text ? "" : fmt::format("   (was {})", shortened(old->text));
  }

  // What is gone is shown in what its function has become.
  FunctionEntry& place_of(const StatementChange& change, const StatementId& id) {
    FunctionId function = id.function;
    if (!change.new_statement)
      if (const auto now = map_.to_new(function)) function = *now;
    return files_[function.file].functions[function.signature];
  }

  const StatementMap& map_;
  std::map<std::string, FileEntry> files_;
  std::map<std::string, std::string> moved_;  // files, by their old paths
};

}  // namespace

std::string summarize(const SourceChange& change) {
  std::set<FunctionId> functions;
  for (const StatementChange& statement : change.statements.changes()) {
    if (statement.new_statement)
      functions.insert(statement.new_statement->function);
    else if (statement.old_statement)
      functions.insert(statement.old_statement->function);
  }
  for (const FunctionChange& function : change.statements.functions())
    functions.insert(function.new_function ? *function.new_function : *function.old_function);
  return fmt::format("{}, {}, {}, {}", count_of(change.files.size(), "file"),
                     count_of(change.statements.declarations().size(), "declaration"),
                     count_of(functions.size(), "function"),
                     count_of(change.statements.changes().size(), "statement"));
}

std::string describe(const SourceChange& change) {
  std::string text;
  for (const auto& [path, file] : Collector(change).take()) {
    std::string note = file.note;
    if (note.empty() && file.functions.empty() && change.statements.declarations().empty() &&
        change.statements.changes().empty())
      note = "layout and comments only";
    text += path + (note.empty() ? "" : "  (" + note + ")") + "\n";
    for (const auto& [signature, function] : file.functions) {
      text += "  " + signature + (function.note.empty() ? "" : "  (" + function.note + ")") + "\n";
      for (const Line& line : function.lines) text += "    " + line.text + "\n";
    }
  }
  const std::vector<DeclarationChange>& declarations = change.statements.declarations();
  if (!declarations.empty()) text += "declarations\n";
  for (const DeclarationChange& declaration : declarations) text += "  " + describe(declaration) + "\n";
  std::string unknown;
  for (const StatementChange& statement : change.statements.changes()) {
    if (!statement.new_statement && !statement.old_statement)
      unknown += fmt::format("  {} {}\n", sign_of(statement.kind), statement.because);
  }
  if (!unknown.empty()) text += "outside functions\n" + unknown;
  return text;
}

}  // namespace heddle
