#include "change/lexer.h"

#include <array>
#include <cctype>

namespace heddle {

namespace {

bool starts_identifier(char c) {
  return std::isalpha(static_cast<unsigned char>(c)) || c == '_' || c == '$' || (c & 0x80);
}
bool continues_identifier(char c) {
  return starts_identifier(c) || std::isdigit(static_cast<unsigned char>(c));
}

// `>>` is left out: it closes two template argument lists more often than it shifts, and two tokens compare
// as well.
constexpr std::array<std::string_view, 24> kLongPunctuators = {
    "<=>", "...", "->*", "<<=", "::", "->", "++", "--", "<<", "<=", ">=", "==",
    "!=",  "&&",  "||",  "+=",  "-=", "*=", "/=", "%=", "&=", "|=", "^=", "##"};

// Reads one token after the other; knows nothing of preprocessor lines but where they begin.
class Scanner {
 public:
  explicit Scanner(std::string_view text) : text_(text) {}

  // False at the end, or (with `within_line`) at the end of the logical line.
  bool next(Token& token, bool within_line);
  bool at_directive() const { return at_directive_; }

 private:
  char at(size_t index) const { return index < text_.size() ? text_[index] : '\0'; }
  void advance(size_t to) {
    for (; position_ < to && position_ < text_.size(); ++position_) {
      if (text_[position_] == '\n') {
        ++line_;
        line_start_ = position_ + 1;
        fresh_line_ = true;
      }
    }
  }
  bool skip_space(bool within_line);
  size_t end_of_quoted(size_t from, char quote) const;
  size_t end_of_raw_string(size_t quote) const;
  size_t end_of_token(TokenKind& kind) const;

  std::string_view text_;
  size_t position_ = 0;
  size_t line_start_ = 0;
  uint32_t line_ = 1;
  bool fresh_line_ = true;
  bool at_directive_ = false;
};

// False when the line ends and `within_line` is set.
bool Scanner::skip_space(bool within_line) {
  while (position_ < text_.size()) {
    const char c = text_[position_];
    if (c == '\\' &&
        (at(position_ + 1) == '\n' || (at(position_ + 1) == '\r' && at(position_ + 2) == '\n'))) {
      const bool fresh = fresh_line_;
      advance(position_ + (at(position_ + 1) == '\n' ? 2 : 3));
      fresh_line_ = fresh;
    } else if (c == '\n') {
      if (within_line) return false;
      advance(position_ + 1);
    } else if (std::isspace(static_cast<unsigned char>(c)) || c == '\0') {
      advance(position_ + 1);
    } else if (c == '/' && at(position_ + 1) == '/') {
      size_t end = position_;
      while (end < text_.size() && (text_[end] != '\n' || text_[end - 1] == '\\')) ++end;
      advance(end);
    } else if (c == '/' && at(position_ + 1) == '*') {
      const size_t close = text_.find("*/", position_ + 2);
      const bool fresh = fresh_line_;
      advance(close == std::string_view::npos ? text_.size() : close + 2);
      fresh_line_ = fresh;
    } else {
      return true;
    }
  }
  return true;
}

size_t Scanner::end_of_quoted(size_t from, char quote) const {
  for (size_t i = from; i < text_.size(); ++i) {
    if (text_[i] == '\\') {
      ++i;
    } else if (text_[i] == quote) {
      return i + 1;
    } else if (text_[i] == '\n') {
      return i;  // unterminated: an apostrophe in text that is not code
    }
  }
  return text_.size();
}

size_t Scanner::end_of_raw_string(size_t quote) const {
  const size_t open = text_.find('(', quote);
  if (open == std::string_view::npos || open - quote > 17) return end_of_quoted(quote + 1, '"');
  const std::string close = ")" + std::string(text_.substr(quote + 1, open - quote - 1)) + "\"";
  const size_t end = text_.find(close, open);
  return end == std::string_view::npos ? text_.size() : end + close.size();
}

size_t Scanner::end_of_token(TokenKind& kind) const {
  const char c = text_[position_];
  if (starts_identifier(c)) {
    size_t end = position_;
    while (end < text_.size() && continues_identifier(text_[end])) ++end;
    const std::string_view word = text_.substr(position_, end - position_);
    const char after = at(end);
    if (after == '"' && (word == "R" || word == "LR" || word == "uR" || word == "UR" || word == "u8R")) {
      kind = TokenKind::kString;
      return end_of_raw_string(end);
    }
    if ((after == '"' || after == '\'') && (word == "L" || word == "u" || word == "U" || word == "u8")) {
      kind = after == '"' ? TokenKind::kString : TokenKind::kCharacter;
      return end_of_quoted(end + 1, after);
    }
    kind = TokenKind::kIdentifier;
    return end;
  }
  if (std::isdigit(static_cast<unsigned char>(c)) ||
      (c == '.' && std::isdigit(static_cast<unsigned char>(at(position_ + 1))))) {
    kind = TokenKind::kNumber;
    size_t end = position_ + 1;
    for (; end < text_.size(); ++end) {
      const char n = text_[end];
      const char before = text_[end - 1];
      if (continues_identifier(n) || n == '.') continue;
      if (n == '\'' && std::isalnum(static_cast<unsigned char>(at(end + 1)))) continue;
      if ((n == '+' || n == '-') && (before == 'e' || before == 'E' || before == 'p' || before == 'P') &&
          std::isdigit(static_cast<unsigned char>(at(end + 1)))) {
        continue;
      }
      break;
    }
    return end;
  }
  if (c == '"' || c == '\'') {
    kind = c == '"' ? TokenKind::kString : TokenKind::kCharacter;
    return end_of_quoted(position_ + 1, c);
  }
  kind = TokenKind::kPunctuator;
  for (const std::string_view punctuator : kLongPunctuators) {
    if (text_.substr(position_, punctuator.size()) == punctuator) return position_ + punctuator.size();
  }
  return position_ + 1;
}

bool Scanner::next(Token& token, bool within_line) {
  if (!skip_space(within_line) || position_ >= text_.size()) return false;
  at_directive_ = fresh_line_ && text_[position_] == '#' && !within_line;
  fresh_line_ = false;
  token = Token{};
  const size_t end = end_of_token(token.kind);
  token.text = text_.substr(position_, end - position_);
  token.line = line_;
  token.column = static_cast<uint32_t>(position_ - line_start_) + 1;
  advance(end - 1);
  token.last_line = line_;
  token.last_column = static_cast<uint32_t>(position_ - line_start_) + 1;
  advance(end);
  fresh_line_ = false;
  return true;
}

// Follows #if … #endif: the condition of what comes next, and the tokens of each branch.
class Conditionals {
 public:
  explicit Conditionals(LexedSource& out) : out_(out) { out_.conditions.emplace_back(); }

  uint32_t current() const { return groups_.empty() ? 0 : groups_.back().condition; }
  // Within `#if 0`: as good as a comment.
  bool is_off() const { return !groups_.empty() && groups_.back().off; }

  void begin(std::string condition, bool never, bool always) {
    Group group;
    group.around = current();
    group.around_off = is_off();
    group.off = group.around_off || never;
    group.transparent = never || always;
    group.negated = condition;
    groups_.push_back(std::move(group));
    set(std::move(condition));
    groups_.back().branch = static_cast<uint32_t>(out_.tokens.size());
  }
  void alternative(const std::string& condition) {  // empty: #else
    if (groups_.empty()) return;
    end_branch();
    Group& group = groups_.back();
    group.off = group.around_off;
    group.first = false;
    group.transparent = false;
    const std::string others = "! ( " + group.negated + " )";
    // Long chains would make it quadratic; where such a chain differs is seen in the statements.
    if (group.negated.size() < 400) group.negated += " || " + condition;
    set(condition.empty() ? others : others + " && " + condition);
    group.branch = static_cast<uint32_t>(out_.tokens.size());
  }
  void end() {
    if (groups_.empty()) return;
    end_branch();
    groups_.pop_back();
  }
  // `#ifndef X` `#define X` at the top of a header says nothing of the code in it.
  void is_include_guard() {
    if (groups_.size() == 1) groups_.back().condition = 0;
  }

 private:
  struct Group {
    uint32_t around = 0;
    uint32_t condition = 0;
    uint32_t branch = 0;  // first token
    bool first = true;
    bool off = false;
    bool around_off = false;
    bool transparent = false;
    std::string negated;
  };

  void set(std::string condition) {
    Group& group = groups_.back();
    if (group.transparent) {
      group.condition = group.around;
      return;
    }
    const std::string& around = out_.conditions[group.around];
    out_.conditions.push_back(around.empty() ? std::move(condition) : around + " && " + condition);
    group.condition = static_cast<uint32_t>(out_.conditions.size()) - 1;
  }
  // In another branch than the first, brackets without a partner in it are dropped.
  void end_branch() {
    const Group& group = groups_.back();
    if (group.first) return;
    std::vector<Token>& tokens = out_.tokens;
    std::vector<uint32_t> open;
    std::vector<uint32_t> drop;
    for (uint32_t i = group.branch; i < tokens.size(); ++i) {
      const std::string_view text = tokens[i].text;
      if (tokens[i].kind != TokenKind::kPunctuator) continue;
      if (text == "{" || text == "(" || text == "[") {
        open.push_back(i);
      } else if (text == "}" || text == ")" || text == "]") {
        if (open.empty()) {
          drop.push_back(i);
        } else {
          open.pop_back();
        }
      }
    }
    drop.insert(drop.end(), open.begin(), open.end());
    if (drop.empty()) return;
    std::vector<bool> dropped(tokens.size() - group.branch);
    for (const uint32_t i : drop) dropped[i - group.branch] = true;
    uint32_t kept = group.branch;
    for (uint32_t i = group.branch; i < tokens.size(); ++i) {
      if (!dropped[i - group.branch]) tokens[kept++] = tokens[i];
    }
    tokens.resize(kept);
  }

  LexedSource& out_;
  std::vector<Group> groups_;
};

SourceMacro read_macro(const std::vector<Token>& line) {
  SourceMacro macro;
  macro.name = line[2].text;
  macro.range = {line.front().line, line.front().column, line.back().last_line, line.back().last_column};
  const bool takes_arguments = line.size() > 3 && line[3].is("(") && line[3].line == line[2].last_line &&
                               line[3].column == line[2].last_column + 1;
  macro.text = takes_arguments ? macro.name : macro.name + " ";
  macro.text += spaced_text(line, 3, static_cast<uint32_t>(line.size()));
  return macro;
}

void match_brackets(std::vector<Token>& tokens) {
  std::vector<uint32_t> open;
  for (uint32_t i = 0; i < tokens.size(); ++i) {
    if (tokens[i].kind != TokenKind::kPunctuator || tokens[i].text.size() != 1) continue;
    const char c = tokens[i].text[0];
    if (c == '(' || c == '[' || c == '{') {
      open.push_back(i);
    } else if (c == ';') {
      if (!open.empty() && tokens[open.back()].text[0] == '{') tokens[open.back()].holds_semicolon = true;
    } else if (c == ')' || c == ']' || c == '}') {
      const char wanted = c == ')' ? '(' : c == ']' ? '[' : '{';
      // A brace closes whatever was left open inside; another bracket does not close a brace.
      while (c == '}' && !open.empty() && tokens[open.back()].text[0] != '{') open.pop_back();
      if (open.empty() || tokens[open.back()].text[0] != wanted) continue;
      tokens[i].match = open.back();
      tokens[open.back()].match = i;
      Token& opener = tokens[open.back()];
      opener.holds_deep_semicolon |= opener.holds_semicolon;
      open.pop_back();
      if (!open.empty() && opener.holds_deep_semicolon) tokens[open.back()].holds_deep_semicolon = true;
    }
  }
}

}  // namespace

LexedSource lex_source(std::string_view text) {
  LexedSource out;
  Conditionals conditionals(out);
  Scanner scanner(text);
  Token token;
  std::string guard_candidate;
  bool first_directive = true;
  while (scanner.next(token, false)) {
    if (!scanner.at_directive()) {
      token.condition = conditionals.current();
      if (!conditionals.is_off()) out.tokens.push_back(token);
      continue;
    }
    std::vector<Token> line{token};
    while (scanner.next(token, true)) line.push_back(token);
    const std::string_view name = line.size() > 1 ? line[1].text : std::string_view();
    const auto count = static_cast<uint32_t>(line.size());
    const std::string rest = spaced_text(line, 2, count);
    if (name == "if") {
      conditionals.begin(rest, rest == "0" || rest == "false", rest == "1" || rest == "true");
    } else if (name == "ifdef") {
      conditionals.begin("defined ( " + rest + " )", false, false);
    } else if (name == "ifndef") {
      conditionals.begin("! defined ( " + rest + " )", false, false);
      if (first_directive && out.tokens.empty()) guard_candidate = rest;
    } else if (name == "elif") {
      conditionals.alternative(rest);
    } else if (name == "elifdef" || name == "elifndef") {
      conditionals.alternative((name == "elifdef" ? "defined ( " : "! defined ( ") + rest + " )");
    } else if (name == "else") {
      conditionals.alternative("");
    } else if (name == "endif") {
      conditionals.end();
    } else if (conditionals.is_off()) {
      continue;
    } else if (name == "define" && count > 2) {
      if (!guard_candidate.empty() && guard_candidate == rest) {
        conditionals.is_include_guard();
      } else {
        out.macros.push_back(read_macro(line));
        out.macros.back().defined_if = out.conditions[conditionals.current()];
      }
      guard_candidate.clear();
    } else if (name == "include" || name == "include_next" || name == "import") {
      out.includes.push_back(compact_text(line, 2, count));
    } else if (name == "pragma" && rest != "once") {
      Token pragma = line.front();
      pragma.kind = TokenKind::kPragma;
      pragma.text = text.substr(
          static_cast<size_t>(line.front().text.data() - text.data()),
          static_cast<size_t>(line.back().text.data() + line.back().text.size() - line.front().text.data()));
      pragma.last_line = line.back().last_line;
      pragma.last_column = line.back().last_column;
      pragma.condition = conditionals.current();
      out.tokens.push_back(pragma);
    }
    first_directive = false;
  }
  match_brackets(out.tokens);
  return out;
}

std::vector<Token> tokenize(std::string_view text) {
  std::vector<Token> tokens;
  Scanner scanner(text);
  Token token;
  while (scanner.next(token, false)) tokens.push_back(token);
  return tokens;
}

std::string spaced_text(const std::vector<Token>& tokens, uint32_t begin, uint32_t end) {
  std::string text;
  for (uint32_t i = begin; i < end && i < tokens.size(); ++i) {
    if (i > begin) text += ' ';
    text += tokens[i].text;
  }
  return text;
}

std::string compact_text(const std::vector<Token>& tokens, uint32_t begin, uint32_t end) {
  std::string text;
  for (uint32_t i = begin; i < end && i < tokens.size(); ++i) {
    if (!text.empty() && !tokens[i].text.empty() &&
        (text.back() == ',' || (continues_identifier(text.back()) && starts_identifier(tokens[i].text[0])) ||
         ((text.back() == '&' || text.back() == '*' || text.back() == '>') &&
          starts_identifier(tokens[i].text[0])))) {
      text += ' ';
    }
    text += tokens[i].text;
  }
  return text;
}

}  // namespace heddle
