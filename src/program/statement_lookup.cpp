#include "program/statement_lookup.h"

#include <fstream>
#include <iterator>
#include <map>
#include <mutex>
#include <unordered_map>

namespace heddle::program {
namespace {

bool holds(const SourceRange& range, uint32_t line, uint32_t column) {
  const std::pair at{line, column};
  return std::pair{range.first_line, range.first_column} <= at &&
         at <= std::pair{range.last_line, range.last_column};
}

bool is_within(const SourceRange& inner, const SourceRange& outer) {
  return holds(outer, inner.first_line, inner.first_column) &&
         holds(outer, inner.last_line, inner.last_column);
}

class TextStatements final : public StatementLookup {
 public:
  TextStatements(std::filesystem::path source, ParseSource parse)
      : source_(std::move(source)), parse_(std::move(parse)) {}

  const SourceStatement* find(const std::string& file, uint32_t line, uint32_t column) override {
    const File& parsed = parsed_file(file);
    auto at_line = parsed.by_line.find(line);
    if (at_line == parsed.by_line.end()) return nullptr;
    const SourceStatement* innermost = nullptr;
    const SourceStatement* condition = nullptr;
    for (const SourceStatement* statement : at_line->second) {
      const SourceRange& range = statement->range;
      const bool is_here = column == 0 || holds(range, line, column);
      if (is_here && (innermost == nullptr || (column != 0 && is_within(range, innermost->range))))
        innermost = statement;
      // Compilers give the keyword for what a loop or branch decides; the text has what stands after it.
      const bool follows =
          range.first_line == line && range.first_column > column &&
          (statement->kind == StatementKind::kCondition || statement->kind == StatementKind::kCase);
      if (follows && (condition == nullptr || range < condition->range)) condition = statement;
    }
    return innermost != nullptr ? innermost : condition;
  }

  const SourceFile& text(const std::string& file) override { return parsed_file(file).text; }

 private:
  struct File {
    std::once_flag once;
    SourceFile text;
    std::unordered_map<uint32_t, std::vector<const SourceStatement*>>
        by_line;  // that reach over it, in order
  };

  const File& parsed_file(const std::string& name) {
    File* file = nullptr;
    {
      std::lock_guard lock(mutex_);
      file = &files_[name];
    }
    std::call_once(file->once, [&] { read(name, *file); });
    return *file;
  }

  void read(const std::string& name, File& file) const {
    if (!parse_) return;
    std::ifstream stream(source_ / name, std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(stream), {}};
    file.text = parse_(name, text);
    for (const SourceFunction& function : file.text.functions)
      for (const SourceStatement& statement : function.statements)
        for (uint32_t line = statement.range.first_line; line <= statement.range.last_line; ++line)
          file.by_line[line].push_back(&statement);
  }

  std::filesystem::path source_;
  ParseSource parse_;
  std::mutex mutex_;
  std::map<std::string, File> files_;  // its elements stay where they are
};

}  // namespace

std::unique_ptr<StatementLookup> text_statements(std::filesystem::path source, ParseSource parse) {
  return std::make_unique<TextStatements>(std::move(source), std::move(parse));
}

}  // namespace heddle::program
