#include "source_pairs.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace heddle {

namespace {

std::string name_of(const StatementId& id) {
  const std::string& signature = id.function.signature;
  // TEST(a, b) is named with its arguments.
  const bool is_whole = signature.starts_with("TEST") || signature.ends_with(" (initializer)");
  const size_t cut = is_whole ? std::string::npos : signature.find('(');
  return signature.substr(0, signature.starts_with("(anonymous") ? signature.find('(', 1) : cut);
}

}  // namespace

StatementMap map_of(const Sources& before, const Sources& after, std::map<std::string, std::string> renamed) {
  StatementMap::Files files;
  for (const auto& [path, text] : before) files.base.push_back(parse_source(path, text));
  for (const auto& [path, text] : after) files.head.push_back(parse_source(path, text));
  files.renamed = std::move(renamed);
  return StatementMap(std::move(files));
}

std::string without_spaces(std::string text) {
  std::erase_if(text, [](char c) { return c == ' ' || c == '\n'; });
  return text;
}

std::vector<std::string> change_lines(const StatementMap& map) {
  std::vector<std::string> lines;
  for (const StatementChange& change : map.changes()) {
    std::string line;
    if (change.reason == ChangeReason::kDeclaration) line = "decl";
    if (change.reason == ChangeReason::kMacro) line = "macro";
    if (change.reason == ChangeReason::kUnknown) line = "unknown";
    line += change.kind == ChangeKind::kAdded ? "+" : change.kind == ChangeKind::kRemoved ? "-" : "~";
    if (change.new_statement || change.old_statement) {
      line += name_of(change.new_statement ? *change.new_statement : *change.old_statement) + ":";
    }
    const std::string old_text = change.old_statement ? map.find_base(*change.old_statement)->text : "";
    const std::string new_text = change.new_statement ? map.find_head(*change.new_statement)->text : "";
    line += old_text.empty() || new_text.empty() || old_text == new_text
                ? (new_text.empty() ? old_text : new_text)
                : old_text + "→" + new_text;
    lines.push_back(without_spaces(line));
  }
  std::ranges::sort(lines);
  return lines;
}

void expect_changes(const StatementMap& map, std::vector<std::string> expected) {
  for (std::string& line : expected) line = without_spaces(line);
  std::ranges::sort(expected);
  EXPECT_EQ(change_lines(map), expected);
}

void expect_changes(const std::string& before, const std::string& after, std::vector<std::string> expected) {
  expect_changes(map_of({{"a.cpp", before}}, {{"a.cpp", after}}), std::move(expected));
}

}  // namespace heddle
