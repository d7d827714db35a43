#include "change/readable_text.h"

#include <set>
#include <vector>

#include "change/lexer.h"

namespace heddle {
namespace {

using Tokens = std::vector<Token>;

bool is_one_of(const Token& token, const std::set<std::string_view>& texts) {
  return token.kind == TokenKind::kPunctuator && texts.contains(token.text);
}

bool is_keyword_before_operand(const Token& token) {
  static const std::set<std::string_view> kWords = {"if",     "while", "for",       "switch",   "return",
                                                    "throw",  "case",  "co_return", "co_yield", "co_await",
                                                    "delete", "else",  "do",        "catch",    "new"};
  return token.is_identifier() && kWords.contains(token.text);
}

// Whether a value or type ends here, so that an operator after it has two operands.
bool ends_operand(const Token& token) {
  if (token.kind == TokenKind::kPunctuator) return is_one_of(token, {")", "]", "}", ">"});
  return !is_keyword_before_operand(token);
}

// Marks the brackets of template arguments: nothing between them that arguments do not contain.
std::vector<bool> template_brackets(const Tokens& tokens) {
  std::vector<bool> marked(tokens.size());
  std::vector<size_t> open;
  for (size_t i = 0; i < tokens.size(); ++i) {
    if (tokens[i].is("<") && i > 0 && tokens[i - 1].is_identifier()) {
      open.push_back(i);
    } else if (tokens[i].is(">") && !open.empty()) {
      marked[open.back()] = marked[i] = true;
      open.pop_back();
    } else if (is_one_of(tokens[i],
                         {"&&", "||", ";", "{", "}", "==", "!=", "=", "+", "-", "/", "?", "<=", ">="})) {
      open.clear();
    }
  }
  return marked;
}

class Writer {
 public:
  explicit Writer(const Tokens& tokens) : tokens_(tokens), brackets_(template_brackets(tokens)) {}

  std::string write() const {
    std::string text;
    for (size_t i = 0; i < tokens_.size(); ++i) {
      if (i > 0 && is_spaced(i)) text += ' ';
      text += tokens_[i].text;
    }
    return text;
  }

 private:
  // Whether there is a space before the token.
  bool is_spaced(size_t i) const {
    const Token& before = tokens_[i - 1];
    const Token& token = tokens_[i];
    if (is_one_of(token, {",", ";", ")", "]", "}"})) return false;
    if (is_one_of(before, {",", ";"})) return true;
    if (is_one_of(before, {"(", "[", "{", ".", "->", "::", "!", "~"}) || is_unary(i - 1)) return false;
    if (is_one_of(token, {".", "->", "::"})) return !ends_operand(before);
    if (brackets_[i]) return false;
    if (brackets_[i - 1] && before.is("<")) return false;
    if (token.is("(") || token.is("[") || token.is("{")) {
      if (before.is_identifier()) return is_keyword_before_operand(before);
      if (token.is("{") && before.is(")")) return true;
      return !is_one_of(before, {")", "]"}) && !brackets_[i - 1];
    }
    if ((token.is("++") || token.is("--")) && ends_operand(before)) return false;
    return true;
  }

  bool is_unary(size_t i) const {
    if (!is_one_of(tokens_[i], {"&", "*", "-", "+", "++", "--"})) return false;
    if (i == 0) return true;
    const bool is_postfix = is_one_of(tokens_[i], {"++", "--"});
    return !is_postfix ? !ends_operand(tokens_[i - 1])
                       : !ends_operand(tokens_[i - 1]) || tokens_[i - 1].is("}");
  }

  const Tokens& tokens_;
  const std::vector<bool> brackets_;
};

}  // namespace

std::string readable_text(std::string_view spaced) {
  return Writer(tokenize(spaced)).write();
}

}  // namespace heddle
