#include "change/body_parser.h"

#include <algorithm>

namespace heddle {

namespace {

// Deeper code is taken as one statement: nobody writes it, and the parser must not run out of stack.
constexpr uint32_t kMaxNesting = 250;

bool starts_statement(const Token& token) {
  return token.is("if") || token.is("for") || token.is("while") || token.is("do") || token.is("switch") ||
         token.is("return") || token.is("break") || token.is("continue") || token.is("else") ||
         token.is("try") || token.is("goto") || token.is("case");
}

bool is_label_word(const Token& token) {
  return token.is_identifier() && !is_keyword(token.text);
}

}  // namespace

DeclarationRules BodyParser::rules(bool is_condition) const {
  return {is_condition, false, [this](std::string_view name) { return names_.is_local(name); }};
}

// True if leaving the scope runs code for one of them.
bool BodyParser::declare(const std::vector<DeclaredName>& names, const std::string& storage) {
  bool destroys = false;
  for (const DeclaredName& name : names) {
    if (name.token == kNoToken) continue;
    names_.declare(tokens_[name.token].text, name.type, next_index(), storage);
    destroys |= storage.empty() && !is_trivial_type(name.type);
  }
  return destroys;
}

// Of the declaration at `begin`: "static", "thread_local" or nothing.
std::string BodyParser::storage_of(uint32_t begin, uint32_t end) const {
  bool is_static = false;
  bool is_thread_local = false;
  for (uint32_t i = begin; i < end && is_keyword(tokens_[i].text); ++i) {
    is_static |= tokens_[i].is("static");
    is_thread_local |=
        tokens_[i].is("thread_local") || tokens_[i].is("__thread") || tokens_[i].is("_Thread_local");
  }
  if (is_thread_local) return "thread_local";  // which is static, too
  return is_static ? "static" : "";
}

void BodyParser::parameter_list(uint32_t begin, uint32_t end) {
  for (const DeclaredName& name : parameters(tokens_, begin, end)) {
    if (name.token != kNoToken) names_.declare(tokens_[name.token].text, name.type, ~0u);
  }
}

void BodyParser::initializer(uint32_t begin, uint32_t end) {
  emit(StatementKind::kInitializer, begin, end, {});
}

void BodyParser::body(uint32_t open, uint32_t close) {
  block(open, close, {});
}

void BodyParser::handler(uint32_t begin, uint32_t open, uint32_t close) {
  names_.push();
  if (begin + 1 < open && tokens_[begin + 1].is("(") && tokens_[begin + 1].match < open) {
    parameter_list(begin + 2, tokens_[begin + 1].match);
  }
  const uint32_t condition = emit(StatementKind::kCondition, begin, open, {});
  block(open, close, {1, condition, false});
  names_.pop();
}

void BodyParser::block(uint32_t open, uint32_t close, Context context, bool declares) {
  names_.push();
  declares_.push_back(declares);
  ++nesting_;
  for (uint32_t i = open + 1; i < close;) i = statement(i, close, context);
  --nesting_;
  // Broken code may have no closing brace: then `close` is past the end.
  if (declares_.back() && close < tokens_.size()) emit(StatementKind::kScopeEnd, close, close + 1, context);
  declares_.pop_back();
  names_.pop();
}

// Parses the statement at `begin` and returns where the next one begins: always further.
uint32_t BodyParser::statement(uint32_t begin, uint32_t end, const Context& context) {
  const Token& token = tokens_[begin];
  if (token.is(";") || token.is("}") || token.is("else")) return begin + 1;
  if (nesting_ > kMaxNesting) return expression(begin, end, context);
  if (token.is("{") && token.match != kNoToken && token.match < end) {
    block(begin, token.match, {context.depth + 1, context.parent, context.otherwise});
    return token.match + 1;
  }
  if (token.is("[") && begin + 1 < end && tokens_[begin + 1].is("[") && token.match != kNoToken &&
      token.match < end) {
    return token.match + 1;  // an attribute
  }
  if (token.kind == TokenKind::kPragma) {
    emit(StatementKind::kExpression, begin, begin + 1, context);
    return begin + 1;
  }
  if (token.is("if")) return if_chain(begin, end, context);
  if (token.is("for") || token.is("while") || token.is("switch") || token.is("catch"))
    return loop(begin, end, context);
  if (token.is("do")) return do_loop(begin, end, context);
  if (token.is("try")) return begin + 1;  // its block follows
  if (token.is("case") || (token.is("default") && begin + 1 < end && tokens_[begin + 1].is(":")) ||
      (is_label_word(token) && begin + 1 < end && tokens_[begin + 1].is(":"))) {
    return label(begin, end, context);
  }
  if (const uint32_t open = class_body(begin, end); open != kNoToken) {
    const uint32_t close = tokens_[open].match;
    local_class_(begin, close + 1);
    const uint32_t tail = end_of_expression(close + 1, end);
    if (tail > close + 2) {  // `struct {…} name = …;`
      DeclaredName name{close + 1, compact_text(tokens_, begin, open)};
      if (tokens_[close + 1].is_identifier())
        declares_.back() = declare({name}, storage_of(begin, open)) || declares_.back();
      emit(StatementKind::kExpression, close + 1, tail, context);
    }
    return std::max(tail, close + 1);
  }
  return expression(begin, end, context);
}

// The statement that a condition decides over. A scope for what the condition has declared.
uint32_t BodyParser::controlled(uint32_t begin, uint32_t end, const Context& context, bool declares) {
  while (begin + 1 < end && tokens_[begin].is("[") && tokens_[begin + 1].is("[") &&
         tokens_[begin].match < end) {
    begin = tokens_[begin].match + 1;
  }
  if (begin >= end) return end;
  const Token& token = tokens_[begin];
  if (token.is("{") && token.match != kNoToken && token.match < end && nesting_ <= kMaxNesting) {
    block(begin, token.match, context, declares);
    return token.match + 1;
  }
  names_.push();
  ++nesting_;
  const uint32_t after = statement(begin, end, context);
  --nesting_;
  names_.pop();
  return after;
}

// Declares what stands between the parentheses of if, for, while, switch, catch.
void BodyParser::declare_in_condition(uint32_t keyword, uint32_t open) {
  const uint32_t close = tokens_[open].match;
  declares_.push_back(false);
  if (tokens_[keyword].is("catch")) {
    parameter_list(open + 1, close);
    return;
  }
  uint32_t start = open + 1;
  for (uint32_t i = open + 1; i <= close; ++i) {
    if (i == close || tokens_[i].is(";")) {
      const bool is_condition = i == close;
      if (declare(declared_names(tokens_, start, i, rules(is_condition)), storage_of(start, i)))
        declares_.back() = true;
      start = i + 1;
    } else if (tokens_[i].match != kNoToken && tokens_[i].match > i && tokens_[i].match < close) {
      i = tokens_[i].match;
    }
  }
}

uint32_t BodyParser::if_chain(uint32_t begin, uint32_t end, Context context) {
  uint32_t scopes = 0;
  uint32_t i = begin;
  while (true) {
    uint32_t open = i + 1;
    while (open < end &&
           (tokens_[open].is("constexpr") || tokens_[open].is("consteval") || tokens_[open].is("!") ||
            (tokens_[open].is_identifier() && !is_keyword(tokens_[open].text)))) {
      ++open;
    }
    const bool has_condition = open < end && tokens_[open].is("(") && tokens_[open].match < end;
    const uint32_t after = has_condition ? tokens_[open].match + 1 : open;
    names_.push();
    ++scopes;
    bool declares = false;
    if (has_condition) {
      declare_in_condition(i, open);
      declares = declares_.back();
      declares_.pop_back();
    }
    const uint32_t condition = emit(StatementKind::kCondition, i, std::max(after, i + 1), context);
    i = controlled(std::max(after, i + 1), end, {context.depth + 1, condition, false}, declares);
    if (i >= end || !tokens_[i].is("else")) break;
    ++i;
    if (i < end && tokens_[i].is("if")) {
      context.parent = condition;
      context.otherwise = true;
      continue;
    }
    i = controlled(i, end, {context.depth + 1, condition, true}, false);
    break;
  }
  for (; scopes > 0; --scopes) names_.pop();
  return i;
}

uint32_t BodyParser::loop(uint32_t begin, uint32_t end, const Context& context) {
  uint32_t open = begin + 1;
  if (open < end && tokens_[open].is("co_await")) ++open;
  if (open >= end || !tokens_[open].is("(") || tokens_[open].match >= end) {
    emit(StatementKind::kCondition, begin, begin + 1, context);
    return begin + 1;
  }
  names_.push();
  declare_in_condition(begin, open);
  const bool declares = declares_.back();
  declares_.pop_back();
  const uint32_t after = tokens_[open].match + 1;
  const uint32_t condition = emit(StatementKind::kCondition, begin, after, context);
  const uint32_t next = controlled(after, end, {context.depth + 1, condition, false}, declares);
  names_.pop();
  return next;
}

uint32_t BodyParser::do_loop(uint32_t begin, uint32_t end, const Context& context) {
  const uint32_t first = next_index();
  uint32_t i = controlled(begin + 1, end, {context.depth + 1, context.parent, context.otherwise}, false);
  if (i + 1 >= end || !tokens_[i].is("while") || !tokens_[i + 1].is("(") || tokens_[i + 1].match >= end)
    return i;
  const uint32_t after = tokens_[i + 1].match + 1;
  const uint32_t last = next_index();
  const uint32_t condition = emit(StatementKind::kCondition, i, after, context);
  for (uint32_t child = first; child < last; ++child) {
    SourceStatement& inner = function_.statements[child];
    if (inner.parent != context.parent || inner.depth <= context.depth) continue;
    inner.parent = condition;
    inner.otherwise = false;
  }
  return after < end && tokens_[after].is(";") ? after + 1 : after;
}

uint32_t BodyParser::label(uint32_t begin, uint32_t end, const Context& context) {
  uint32_t questions = 0;
  for (uint32_t i = begin; i < end; ++i) {
    const Token& token = tokens_[i];
    if (token.is(";") || token.is("{") || token.is("}")) break;
    if (token.is("?")) ++questions;
    if (token.is(":") && questions-- == 0) {
      emit(StatementKind::kCase, begin, i + 1, context);
      return i + 1;
    }
    if (token.match != kNoToken && token.match > i && token.match < end) i = token.match;
  }
  return expression(begin, end, context);
}

// The opening brace if a class or an enumeration is defined at `begin`.
uint32_t BodyParser::class_body(uint32_t begin, uint32_t end) const {
  uint32_t i = begin;
  while (i < end && (tokens_[i].is("static") || tokens_[i].is("const") || tokens_[i].is("typedef"))) ++i;
  if (i >= end || !(tokens_[i].is("struct") || tokens_[i].is("class") || tokens_[i].is("union") ||
                    tokens_[i].is("enum"))) {
    return kNoToken;
  }
  for (; i < end; ++i) {
    const Token& token = tokens_[i];
    if (token.is("{")) return token.match < end && token.match != kNoToken ? i : kNoToken;
    if (token.is(";") || token.is("=") || token.is("(") || token.is(")") || token.is("}")) return kNoToken;
  }
  return kNoToken;
}

// The token after the statement at `begin`, its `;` included.
uint32_t BodyParser::end_of_expression(uint32_t begin, uint32_t end) const {
  for (uint32_t i = begin; i < end;) {
    const Token& token = tokens_[i];
    if (token.is(";")) return i + 1;
    if (token.is("}")) return i;
    if (i > begin && (starts_statement(token) || token.kind == TokenKind::kPragma)) return i;
    if (token.match == kNoToken || token.match < i || token.match >= end) {
      ++i;
      continue;
    }
    i = token.match + 1;
    // `MACRO(x)` on a line of its own needs no semicolon.
    const bool call =
        token.is("(") && token.match != begin + 1 && begin + 1 < end && &tokens_[begin + 1] == &token;
    if (call && i < end && !is_keyword(tokens_[begin].text) && tokens_[begin].is_identifier() &&
        tokens_[i].is_identifier() && tokens_[i].line > tokens_[i - 1].line) {
      return i;
    }
  }
  return end;
}

uint32_t BodyParser::expression(uint32_t begin, uint32_t end, const Context& context) {
  // FOREACH (x, list) {…}, synchronized {…}: a macro that stands for a condition.
  if (tokens_[begin].is_identifier() && !is_keyword(tokens_[begin].text) && nesting_ <= kMaxNesting) {
    uint32_t open = begin + 1;
    if (open < end && tokens_[open].is("(") && tokens_[open].match != kNoToken)
      open = tokens_[open].match + 1;
    if (open < end && tokens_[open].is("{") && tokens_[open].match < end &&
        (open > begin + 1 || tokens_[open].holds_semicolon)) {
      const uint32_t condition = emit(StatementKind::kCondition, begin, open, context);
      block(open, tokens_[open].match, {context.depth + 1, condition, false});
      return tokens_[open].match + 1;
    }
  }
  const uint32_t after = std::max(end_of_expression(begin, end), begin + 1);
  if (declare(declared_names(tokens_, begin, after, rules(false)), storage_of(begin, after)))
    declares_.back() = true;
  emit(StatementKind::kExpression, begin, after, context);
  return after;
}

// Adds the statement, and those of the lambdas in it.
uint32_t BodyParser::emit(StatementKind kind, uint32_t begin, uint32_t end, const Context& context) {
  const uint32_t index = next_index();
  names_.push();
  std::vector<Nested> nested;
  if (nesting_ <= kMaxNesting) nested = nested_bodies(begin, end);
  std::vector<std::pair<uint32_t, uint32_t>> left_out;
  for (const Nested& body : nested) left_out.emplace_back(body.open + 1, body.close);
  SourceStatement result;
  result.kind = kind;
  const Token& last = tokens_[end - 1];
  result.range = {tokens_[begin].line, tokens_[begin].column, last.last_line, last.last_column};
  result.normal = names_.normal_text(begin, end, left_out);
  for (const auto& [from, to] : left_out) {
    result.text += spaced_text(tokens_, begin, from) + " ";
    begin = to;
  }
  result.text += spaced_text(tokens_, begin, end);
  result.depth = context.depth;
  result.parent = context.parent;
  result.otherwise = context.otherwise;
  result.compiled_if = source_.conditions[last.condition];
  names_.pop();
  function_.statements.push_back(std::move(result));
  for (const Nested& body : nested) {
    names_.push();
    for (const auto& [name, number] : body.parameters) names_.bind(name, number);
    block(body.open, body.close, {context.depth + 1, index, false});
    names_.pop();
  }
  return index;
}

bool BodyParser::starts_lambda(uint32_t index, uint32_t begin) const {
  if (index == begin) return true;
  const Token& before = tokens_[index - 1];
  if (before.is_identifier()) return before.is("return") || before.is("co_return") || before.is("co_yield");
  return !before.is(")") && !before.is("]") && !before.is("[") && before.kind != TokenKind::kString;
}

bool BodyParser::is_body(uint32_t open, bool after_lambda) const {
  const Token& token = tokens_[open];
  if (token.match == kNoToken) return false;
  return token.holds_semicolon || (after_lambda && token.holds_deep_semicolon);
}

// Finds bodies within an expression, and declares the parameters and named captures of the lambdas.
std::vector<BodyParser::Nested> BodyParser::nested_bodies(uint32_t begin, uint32_t end) {
  std::vector<Nested> result;
  Nested lambda{};
  bool after_lambda = false;
  for (uint32_t i = begin; i < end; ++i) {
    const Token& token = tokens_[i];
    if (token.is("[") && token.match != kNoToken && token.match < end && starts_lambda(i, begin)) {
      after_lambda = true;
      lambda = Nested{};
      for (const auto& [first, last] : split_at_commas(tokens_, i + 1, token.match)) {
        const uint32_t name = first < last && tokens_[first].is("&") ? first + 1 : first;
        if (name + 1 >= last || !tokens_[name + 1].is("=")) continue;
        lambda.parameters.emplace_back(tokens_[name].text,
                                       names_.declare(tokens_[name].text, "auto", next_index()));
      }
      uint32_t open = token.match + 1;
      if (open < end && tokens_[open].is("<")) open = std::min(skip_angles(tokens_, open, end), end);
      if (open < end && tokens_[open].is("(") && tokens_[open].match < end) {
        for (const DeclaredName& name : parameters(tokens_, open + 1, tokens_[open].match)) {
          if (name.token == kNoToken) continue;
          const std::string_view text = tokens_[name.token].text;
          lambda.parameters.emplace_back(text, names_.declare(text, name.type, next_index()));
        }
        i = tokens_[open].match;
      } else {
        i = token.match;
      }
    } else if (token.is("{") && token.match < end && is_body(i, after_lambda)) {
      lambda.open = i;
      lambda.close = token.match;
      result.push_back(std::move(lambda));
      lambda = Nested{};
      after_lambda = false;
      i = token.match;
    }
  }
  return result;
}

}  // namespace heddle
