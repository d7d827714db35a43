#include "interact/campaign/option_words.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <optional>

#include "change/lexer.h"

namespace heddle::interact {
namespace {

constexpr size_t kLongestKeyword = 24;

// The text of a string literal: without quotes and prefix, simple escapes resolved.
std::optional<std::string> text_of_literal(std::string_view literal) {
  const size_t open = literal.find('"');
  if (open == std::string_view::npos || literal.size() < open + 2 || literal.back() != '"') return {};
  if (open > 0 && literal[open - 1] == 'R') return {};
  std::string text;
  for (size_t i = open + 1; i + 1 < literal.size(); ++i) {
    if (literal[i] != '\\') {
      text += literal[i];
    } else if (literal[i + 1] == '"' || literal[i + 1] == '\\') {
      text += literal[++i];
    } else {
      return {};  // nothing that somebody types as an option
    }
  }
  return text;
}

bool is_word_character(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-';
}

class OptionReader {
 public:
  OptionReader(std::string_view source, OptionWords* words) : lexed_(lex_source(source)), words_(*words) {}

  void read() {
    find_constants();
    for (uint32_t i = 0; i < tokens().size(); ++i) {
      if (is_getopt(i)) read_getopt_call(i);
      if (tokens()[i].is("{")) read_table_entry(i);
      if (tokens()[i].kind == TokenKind::kString) read_constant(i);
    }
  }

 private:
  const std::vector<Token>& tokens() const { return lexed_.tokens; }
  bool is_at(uint32_t i, std::string_view text) const { return i < tokens().size() && tokens()[i].is(text); }

  // One literal, or several that the compiler joins.
  std::optional<std::string> literal_at(uint32_t i) const {
    std::optional<std::string> whole;
    for (; i < tokens().size() && tokens()[i].kind == TokenKind::kString; ++i) {
      const std::optional<std::string> part = text_of_literal(tokens()[i].text);
      if (!part) return {};
      whole = whole.value_or("") + *part;
    }
    return whole;
  }

  // `static const char kOptions[] = "ab:";`, `#define OPTIONS "ab:"`
  void find_constants() {
    for (uint32_t i = 1; i + 1 < tokens().size(); ++i) {
      if (!tokens()[i].is("=") || tokens()[i + 1].kind != TokenKind::kString) continue;
      uint32_t name = i - 1;
      if (is_at(name, "]") && tokens()[name].match != kNoToken && tokens()[name].match > 0)
        name = tokens()[name].match - 1;
      if (tokens()[name].is_identifier())
        if (const std::optional<std::string> text = literal_at(i + 1))
          constants_[std::string(tokens()[name].text)] = *text;
    }
    for (const SourceMacro& macro : lexed_.macros) {
      const std::vector<Token> body = tokenize(macro.text);
      for (size_t t = 0; t < body.size(); ++t) {
        if (body[t].kind != TokenKind::kString) continue;
        if (const std::optional<std::string> text = text_of_literal(body[t].text))
          constants_.emplace(macro.name, *text);
        break;
      }
    }
  }

  bool is_getopt(uint32_t i) const {
    return is_at(i + 1, "(") &&
           (is_at(i, "getopt") || is_at(i, "getopt_long") || is_at(i, "getopt_long_only"));
  }

  void read_getopt_call(uint32_t call) {
    const uint32_t end = tokens()[call + 1].match;
    if (end == kNoToken) return;
    uint32_t argument = 0;
    for (uint32_t i = call + 2; i < end; ++i) {
      if (tokens()[i].is(",")) {
        if (++argument == 2) read_letters_at(i + 1);
      } else if ((tokens()[i].is("(") || tokens()[i].is("[") || tokens()[i].is("{")) &&
                 tokens()[i].match != kNoToken) {
        i = tokens()[i].match;
      }
    }
  }

  void read_letters_at(uint32_t i) {
    std::optional<std::string> text = literal_at(i);
    if (!text && i < tokens().size()) {
      if (const auto constant = constants_.find(std::string(tokens()[i].text)); constant != constants_.end())
        text = constant->second;
    }
    if (text) add_letters(*text);
  }

  void add_letters(const std::string& text) {
    for (size_t i = 0; i < text.size(); ++i) {
      if (std::isgraph(static_cast<unsigned char>(text[i])) == 0 || text[i] == ':' || text[i] == '-' ||
          (text[i] == '+' && i == 0) || text[i] == ';')
        continue;
      const bool takes = i + 1 < text.size() && text[i + 1] == ':';
      const bool optional = takes && i + 2 < text.size() && text[i + 2] == ':';
      words_.letters.insert({text[i], optional ? OptionWords::Value::kOptional
                                      : takes  ? OptionWords::Value::kWanted
                                               : OptionWords::Value::kFlag});
    }
  }

  // `{"width", required_argument, …`
  void read_table_entry(uint32_t open) {
    if (open + 3 >= tokens().size() || tokens()[open + 1].kind != TokenKind::kString) return;
    if (!tokens()[open + 2].is(",")) return;
    const std::string_view takes = tokens()[open + 3].text;
    const bool none = takes == "no_argument", wanted = takes == "required_argument",
               optional = takes == "optional_argument";
    if (!none && !wanted && !optional) return;
    if (const std::optional<std::string> name = literal_at(open + 1); name && !name->empty())
      words_.longs.insert({*name, none     ? OptionWords::Value::kFlag
                                  : wanted ? OptionWords::Value::kWanted
                                           : OptionWords::Value::kOptional});
  }

  // What a program compares its arguments with is short and has no blanks; what it prints mostly does.
  void read_constant(uint32_t i) {
    const std::optional<std::string> text = text_of_literal(tokens()[i].text);
    if (!text || text->empty() || text->size() > kLongestKeyword) return;
    const bool has_value_sign = text->size() > 1 && text->back() == '=';
    const std::string_view word = std::string_view(*text).substr(0, text->size() - (has_value_sign ? 1 : 0));
    if (!std::all_of(word.begin(), word.end(), is_word_character)) {
      if (is_compared(i)) words_.keywords.insert(*text);
      return;
    }
    if (word.size() > 1 && word.front() == '-' && word != "--") {
      words_.dashed.insert(*text);
    } else if (is_compared(i)) {
      words_.keywords.insert(*text);
    }
  }

  // An argument of a comparison, or beside == or !=.
  bool is_compared(uint32_t i) const {
    const auto is_equality = [&](uint32_t t) { return is_at(t, "==") || is_at(t, "!="); };
    if ((i > 0 && is_equality(i - 1)) || is_equality(i + 1)) return true;
    uint32_t depth = 0;
    for (uint32_t t = i; t-- > 0 && i - t < 40;) {
      if (tokens()[t].is(")")) ++depth;
      if (tokens()[t].is(";") || tokens()[t].is("{") || tokens()[t].is("}")) return false;
      if (!tokens()[t].is("(")) continue;
      if (depth > 0) {
        --depth;
        continue;
      }
      if (t == 0 || !tokens()[t - 1].is_identifier()) return false;
      const std::string_view name = tokens()[t - 1].text;
      for (const std::string_view part : {"cmp", "equal", "match", "prefix", "starts", "same", "eq", "find"})
        if (name.find(part) != std::string_view::npos) return true;
      return false;
    }
    return false;
  }

  const LexedSource lexed_;
  OptionWords& words_;
  std::map<std::string, std::string> constants_;
};

}  // namespace

void add_option_words(std::string_view source, OptionWords* words) {
  OptionReader(source, words).read();
}

}  // namespace heddle::interact
