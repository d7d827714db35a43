#include "change/function_head.h"

#include <algorithm>

namespace heddle {

namespace {

bool is_class_key(const Token& token) {
  return token.is("class") || token.is("struct") || token.is("union") || token.is("enum");
}

// May follow the parameters of a function.
bool is_trailing_word(const Token& token) {
  return token.is("const") || token.is("volatile") || token.is("noexcept") || token.is("override") ||
         token.is("final") || token.is("try") || token.is("requires") || token.is("throw") ||
         token.is("mutable") || token.is("__attribute__") || token.is("__asm__") || token.is("asm") ||
         looks_like_macro(token.text);
}

// The token after the name of an operator, whose `operator` is at `index`.
uint32_t skip_operator(const Tokens& tokens, uint32_t index, uint32_t end) {
  uint32_t i = index + 1;
  if (i >= end) return i;
  if (tokens[i].is("(")) return tokens[i].match == i + 1 ? i + 2 : i;
  if (tokens[i].is("[")) return i + 2;
  if (tokens[i].kind == TokenKind::kString) {  // operator"" _x
    ++i;
    return i < end && tokens[i].is_identifier() ? i + 1 : i;
  }
  if (tokens[i].is("new") || tokens[i].is("delete")) {
    ++i;
    return i + 1 < end && tokens[i].is("[") ? i + 2 : i;
  }
  if (!tokens[i].is_identifier() && !tokens[i].is("::")) {
    while (i < end && tokens[i].kind == TokenKind::kPunctuator && !tokens[i].is("(")) ++i;  // `>` `>` `=`
    return i;
  }
  while (i < end && !tokens[i].is("(") && !tokens[i].is(";") && !tokens[i].is("{")) {  // a conversion
    const uint32_t after = tokens[i].is("<") ? skip_angles(tokens, i, end) : kNoToken;
    i = after == kNoToken ? i + 1 : after;
  }
  return i;
}

class HeadReader {
 public:
  HeadReader(const Tokens& tokens, uint32_t begin, uint32_t end, bool attributes_follow_names)
      : tokens_(tokens), end_(end), attributes_follow_names_(attributes_follow_names) {
    head_.begin = begin;
  }

  DeclarationHead read() {
    uint32_t i = head_.begin;
    while (i < end_ && !stops(i)) i = step(i);
    head_.stop = std::min(i, end_);
    return head_;
  }

 private:
  bool stops(uint32_t i) const {
    const Token& token = tokens_[i];
    return token.is(";") || token.is("{") || token.is("}") || token.is("=") || token.is(":") ||
           token.is("try");
  }

  uint32_t step(uint32_t i) {
    const Token& token = tokens_[i];
    if (token.is("operator")) {
      const uint32_t after = skip_operator(tokens_, i, end_);
      if (!head_.is_function() && after < end_ && tokens_[after].is("(") && tokens_[after].match < end_) {
        head_.name_begin = begin_of_name(tokens_, i, head_.begin);
        head_.name_end = after;
        head_.open = after;
        return tokens_[after].match + 1;
      }
      return std::max(after, i + 1);
    }
    if (token.is("requires")) return requires_clause(i);
    if (is_class_key(token) && head_.class_key == kNoToken && !head_.is_function()) head_.class_key = i;
    if (token.is("<") && i > head_.begin && tokens_[i - 1].is_identifier()) {
      const uint32_t after = skip_angles(tokens_, i, end_);
      if (after != kNoToken) {
        last_part_ = i - 1;
        last_part_end_ = after;
        return after;
      }
    }
    if (token.is("(") && token.match < end_) {
      if (!head_.is_function()) consider(i);
      return std::max(token.match, head_.open == kNoToken ? 0 : tokens_[head_.open].match) + 1;
    }
    if (token.is("[") && token.match < end_) return token.match + 1;
    return i + 1;
  }

  // A requires-expression has braces of its own.
  uint32_t requires_clause(uint32_t i) const {
    const bool is_expression = i > head_.begin && (tokens_[i - 1].is("requires") || tokens_[i - 1].is("&&") ||
                                                   tokens_[i - 1].is("||") || tokens_[i - 1].is("("));
    ++i;
    if (i < end_ && tokens_[i].is("(") && tokens_[i].match < end_) i = tokens_[i].match + 1;
    if (is_expression && i < end_ && tokens_[i].is("{") && tokens_[i].match < end_) i = tokens_[i].match + 1;
    return i;
  }

  // Whether the parenthesis at `open` begins the parameters of a function.
  void consider(uint32_t open) {
    if (open == head_.begin) return;
    const uint32_t part = last_part_end_ == open ? last_part_ : open - 1;
    const Token& name = tokens_[part];
    if (!name.is_identifier() || is_keyword(name.text)) return;
    const uint32_t after = tokens_[open].match + 1;
    if (attributes_follow_names_ && looks_like_macro(name.text) && part > head_.begin) {
      const std::vector<DeclaredName> declared = declared_names(tokens_, head_.begin, part, {});
      if (!declared.empty() && declared.front().token + 1 == part) return;
    }
    if (after < end_) {
      const Token& next = tokens_[after];
      if (next.is_identifier() && !is_trailing_word(next)) return;
      if (next.is("::") || next.is("~")) return;
      if (next.is("(") && next.match < end_) {
        head_.macro_open = open;
        open = after;
      }
    }
    head_.name_begin = begin_of_name(tokens_, part, head_.begin);
    head_.name_end = head_.macro_open == kNoToken ? open : head_.macro_open;
    head_.open = open;
  }

  const Tokens& tokens_;
  uint32_t end_;
  bool attributes_follow_names_;
  DeclarationHead head_;
  uint32_t last_part_ = kNoToken;
  uint32_t last_part_end_ = kNoToken;
};

}  // namespace

uint32_t begin_of_name(const Tokens& tokens, uint32_t part, uint32_t begin) {
  uint32_t i = part;
  if (i > begin && tokens[i - 1].is("~")) --i;
  while (i > begin && tokens[i - 1].is("::")) {
    --i;
    if (i > begin && tokens[i - 1].is(">")) {
      uint32_t depth = 0;
      uint32_t open = i - 1;
      for (; open > begin; --open) {
        if (tokens[open].is(">")) ++depth;
        if (tokens[open].is("<") && --depth == 0) break;
      }
      i = open;
    }
    if (i > begin && tokens[i - 1].is_identifier() && !is_keyword(tokens[i - 1].text)) {
      --i;
    } else {
      break;
    }
  }
  return i;
}

DeclarationHead read_head(const Tokens& tokens, uint32_t begin, uint32_t end) {
  DeclarationHead head = HeadReader(tokens, begin, end, true).read();
  // `Type name GUARDED_BY(m) {0};` against `EXPORT Type NAME(x) {…}`: only the first needs a semicolon.
  if (!head.is_function() && head.class_key == kNoToken && head.stop < end && tokens[head.stop].is("{")) {
    const uint32_t after = tokens[head.stop].match;
    const bool variable =
        after != kNoToken && after + 1 < end && (tokens[after + 1].is(";") || tokens[after + 1].is(","));
    if (!variable) head = HeadReader(tokens, begin, end, false).read();
  }
  return head;
}

std::vector<std::string> template_parameters(const Tokens& tokens, uint32_t open, uint32_t close) {
  std::vector<std::string> names;
  for (const auto& [first, last] : split_at_commas(tokens, open + 1, close)) {
    uint32_t end = first;
    while (end < last && !tokens[end].is("=")) ++end;
    if (end > first && tokens[end - 1].is_identifier()) names.emplace_back(tokens[end - 1].text);
  }
  return names;
}

std::string name_text(const Tokens& tokens, uint32_t begin, uint32_t end,
                      const std::vector<std::string>& template_parameters) {
  std::string text;
  for (uint32_t i = begin; i < end; ++i) {
    if (tokens[i].is("operator")) return text + compact_text(tokens, i, end);
    const uint32_t after = tokens[i].is("<") ? skip_angles(tokens, i, end) : kNoToken;
    if (after == kNoToken) {
      text += tokens[i].text;
      continue;
    }
    bool repeats = !template_parameters.empty();
    for (const auto& [first, last] : split_at_commas(tokens, i + 1, after - 1)) {
      const bool pack = last == first + 2 && tokens[first + 1].is("...");
      repeats &= (last == first + 1 || pack) &&
                 std::ranges::find(template_parameters, tokens[first].text) != template_parameters.end();
    }
    if (!repeats) text += compact_text(tokens, i, after);
    i = after - 1;
  }
  return text;
}

std::string parameters_text(const Tokens& tokens, const DeclarationHead& head) {
  std::string text = "(";
  const uint32_t close = tokens[head.open].match;
  for (const DeclaredName& parameter : parameters(tokens, head.open + 1, close)) {
    if (text.size() > 1) text += ", ";
    text += parameter.type;
  }
  text += ")";
  for (uint32_t i = close + 1; i < head.stop && i < tokens.size(); ++i) {
    const Token& token = tokens[i];
    if (token.is("->") || token.is("requires")) break;
    if (token.is("const") || token.is("volatile")) text += " " + std::string(token.text);
    if (token.is("&") || token.is("&&")) text += " " + std::string(token.text);
    if (token.is("(") && token.match < head.stop) i = token.match;
  }
  return text;
}

std::string without_parameter_names(const Tokens& tokens, uint32_t begin, uint32_t end,
                                    const DeclarationHead& head) {
  const std::vector<DeclaredName> names = parameters(tokens, head.open + 1, tokens[head.open].match);
  std::string text;
  for (uint32_t i = begin; i < end; ++i) {
    if (std::ranges::find(names, i, &DeclaredName::token) != names.end()) continue;
    text += (text.empty() ? "" : " ") + std::string(tokens[i].text);
  }
  return text;
}

bool has_result(const Tokens& tokens, const DeclarationHead& head) {
  for (uint32_t i = head.begin; i < head.name_begin; ++i) {
    if (tokens[i].match != kNoToken && tokens[i].match > i && tokens[i].match < head.name_begin) {
      i = tokens[i].match;
    } else if (tokens[i].is_identifier() &&
               (is_builtin_type(tokens[i].text) || !is_keyword(tokens[i].text))) {
      return true;
    }
  }
  return false;
}

}  // namespace heddle
