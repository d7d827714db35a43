#include "history/statement.h"

#include <charconv>

#include <fmt/format.h>

#include "trace/hash.h"

namespace heddle {
namespace {

template <typename Number>
bool parse_number(std::string_view text, int base, Number* value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), *value, base);
  return error == std::errc() && end == text.data() + text.size();
}

// With its end, so that two texts cannot be taken for one.
uint64_t add(uint64_t hash, std::string_view text) {
  return trace::fnv1a(std::string_view("\0", 1), trace::fnv1a(text, hash));
}

}  // namespace

std::string to_text(const CodePosition& position) {
  if (position.line == 0) return fmt::format("{}+{:#x}", position.file, position.offset);
  if (position.column == 0) return fmt::format("{}:{}", position.file, position.line);
  return fmt::format("{}:{}:{}", position.file, position.line, position.column);
}

std::optional<CodePosition> parse_position(std::string_view text) {
  const size_t end = text.find_last_of(":+");
  if (end == std::string_view::npos) return std::nullopt;
  CodePosition position{.file = std::string(text.substr(0, end))};
  const std::string_view number = text.substr(end + 1);
  const bool valid = text[end] == ':'
                         ? parse_number(number, 10, &position.line) && position.line != 0
                         : number.starts_with("0x") && parse_number(number.substr(2), 16, &position.offset);
  if (!valid) return std::nullopt;
  return position;
}

uint64_t key_of(const Statement& statement) {
  uint64_t key = add(add(trace::fnv1a("statement"), to_text(statement.at)), statement.operation);
  for (const CodePosition& call : statement.context) key = add(key, to_text(call));
  return statement.timed_out ? key ^ kTimedOutMark : key;
}

std::set<std::string> files_of(const Statement& statement) {
  std::set<std::string> files{statement.at.file};
  for (const CodePosition& call : statement.context) files.insert(call.file);
  files.erase("");
  return files;
}

}  // namespace heddle
