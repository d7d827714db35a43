#include "source_text.h"

#include <algorithm>

namespace heddle::bench {

std::string edited(std::string_view text, std::vector<Edit> edits) {
  std::ranges::stable_sort(edits, {}, &Edit::begin);
  std::string result;
  size_t at = 0;
  for (const Edit& edit : edits) {
    result += text.substr(at, edit.begin - at);
    result += edit.text;
    at = edit.end;
  }
  result += text.substr(at);
  return result;
}

SourceText::SourceText(std::string file, std::string_view text)
    : file_(std::move(file)), text_(text), source_(lex_source(text)), parsed_(parse_source(file_, text)) {}

const Token& SourceText::at(uint32_t token) const {
  static const Token kNothing;
  return token < source_.tokens.size() ? source_.tokens[token] : kNothing;
}

size_t SourceText::begin_of(uint32_t token) const {
  return static_cast<size_t>(at(token).text.data() - text_.data());
}

size_t SourceText::end_of(uint32_t token) const {
  return begin_of(token) + at(token).text.size();
}

std::string_view SourceText::between(uint32_t first, uint32_t last) const {
  return last < first ? "" : text_.substr(begin_of(first), end_of(last) - begin_of(first));
}

std::string SourceText::indentation_of(uint32_t token) const {
  const size_t line = text_.rfind('\n', begin_of(token));
  const size_t begin = line == std::string_view::npos ? 0 : line + 1;
  const size_t end = std::min(text_.find_first_not_of(" \t", begin), text_.size());
  return std::string(text_.substr(begin, end - begin));
}

Edit SourceText::replacement(uint32_t first, uint32_t last, std::string text) const {
  return {begin_of(first), end_of(last), std::move(text)};
}

uint32_t SourceText::end_of_statement(uint32_t first) const {
  const auto after_bracket = [&](uint32_t open) {
    return at(open).match == kNoToken ? kNoToken : at(open).match + 1;
  };
  const auto statement_at = [&](uint32_t begin) {
    return begin == kNoToken ? kNoToken : end_of_statement(begin);
  };
  const std::string_view word = (*this)[first];
  if (word == "{") return at(first).match;
  if (word == "if") {
    const uint32_t open = (*this)[first + 1] == "constexpr" ? first + 2 : first + 1;
    const uint32_t end = statement_at(after_bracket(open));
    return end != kNoToken && (*this)[end + 1] == "else" ? end_of_statement(end + 2) : end;
  }
  if (word == "for" || word == "while" || word == "switch") return statement_at(after_bracket(first + 1));
  if (word == "do") {
    const uint32_t body = end_of_statement(first + 1);
    return body == kNoToken ? kNoToken : after_bracket(body + 2);
  }
  if (word == "try") {
    uint32_t end = at(first + 1).match;
    while (end != kNoToken && (*this)[end + 1] == "catch") end = statement_at(after_bracket(end + 2));
    return end;
  }
  for (uint32_t token = first; token < size(); ++token) {
    if (at(token).is(";")) return token;
    if (at(token).is("}")) return kNoToken;
    if (at(token).match != kNoToken && at(token).match > token) token = at(token).match;
  }
  return kNoToken;
}

uint32_t SourceText::end_of_block(uint32_t token) const {
  for (; token < size(); ++token) {
    if (at(token).is("}")) return token;
    if (at(token).match != kNoToken && at(token).match > token) token = at(token).match;
  }
  return kNoToken;
}

bool SourceText::begins_statement(uint32_t token) const {
  if (token == 0) return true;
  const Token& before = at(token - 1);
  return before.is(";") || before.is("{") || before.is("}");
}

uint32_t SourceText::begin_of_receiver(uint32_t token) const {
  while (token >= 2 && (at(token - 1).is(".") || at(token - 1).is("->") || at(token - 1).is("::"))) {
    token -= 2;
    while ((at(token).is(")") || at(token).is("]")) && at(token).match != kNoToken && at(token).match > 0) {
      token = at(token).match;
      if (at(token - 1).is_identifier() || at(token - 1).is(")") || at(token - 1).is("]")) --token;
    }
  }
  return token;
}

const SourceFunction* SourceText::function_around(uint32_t token) const {
  const Token& wanted = at(token);
  const auto is_before = [](uint32_t line, uint32_t column, uint32_t other_line, uint32_t other_column) {
    return line < other_line || (line == other_line && column <= other_column);
  };
  const SourceFunction* found = nullptr;
  for (const SourceFunction& function : parsed_.functions) {
    const SourceRange& range = function.range;
    if (!is_before(range.first_line, range.first_column, wanted.line, wanted.column) ||
        !is_before(wanted.line, wanted.column, range.last_line, range.last_column))
      continue;
    if (found == nullptr || range.first_line < found->range.first_line) found = &function;
  }
  return found;
}

LineRange SourceText::lines_of(const SourceFunction& function) const {
  return {file_, function.range.first_line, function.range.last_line};
}

}  // namespace heddle::bench
