// parse_source(): namespaces, classes, functions and declarations. The main loop is StructureParser::scope().
#include <algorithm>
#include <unordered_map>

#include "change/body_parser.h"
#include "change/function_head.h"

namespace heddle {

namespace {

// Deeper scopes are taken as not understood, so that broken text cannot exhaust the stack.
constexpr uint32_t kMaxScopes = 100;

struct Scope {
  std::string name;        // qualified
  std::string class_name;  // unqualified, of a class
  bool is_class = false;

  std::string qualify(std::string_view inner) const {
    return name.empty() ? std::string(inner) : name + "::" + std::string(inner);
  }
};

class StructureParser {
 public:
  StructureParser(SourceFile& file, const LexedSource& source)
      : file_(file), source_(source), tokens_(source.tokens) {}

  void parse() {
    scope(0, static_cast<uint32_t>(tokens_.size()), {});
    std::ranges::stable_sort(file_.functions, {}, &SourceFunction::range);
    number_equal_signatures();
  }

 private:
  void scope(uint32_t begin, uint32_t end, const Scope& around) {
    if (++nesting_ > kMaxScopes) {
      unknown(begin, end);
    } else {
      for (uint32_t i = begin; i < end;) i = std::max(item(i, end, around), i + 1);
    }
    --nesting_;
  }

  uint32_t item(uint32_t begin, uint32_t end, const Scope& around);
  uint32_t namespace_item(uint32_t begin, uint32_t end, const Scope& around);
  uint32_t class_item(const DeclarationHead& head, uint32_t end, const Scope& around);
  uint32_t function_item(const DeclarationHead& head, uint32_t end, const Scope& around);
  uint32_t declaration_item(const DeclarationHead& head, uint32_t end, const Scope& around);
  uint32_t alias_item(uint32_t begin, uint32_t end, const Scope& around);
  void enumerators(uint32_t open, const Scope& around, const std::string& type);
  void lambdas_of(const std::string& name, uint32_t begin, uint32_t end);

  // After the `;` that ends what begins at `begin`; stops before a brace that closes what is around.
  uint32_t past_semicolon(uint32_t begin, uint32_t end) const {
    for (uint32_t i = begin; i < end; ++i) {
      if (tokens_[i].is(";")) return i + 1;
      if (tokens_[i].match != kNoToken && tokens_[i].match > i && tokens_[i].match < end)
        i = tokens_[i].match;
    }
    return end;
  }
  SourceRange range(uint32_t begin, uint32_t end) const {
    const Token& last = tokens_[end - 1];
    return {tokens_[begin].line, tokens_[begin].column, last.last_line, last.last_column};
  }
  void unknown(uint32_t begin, uint32_t end) {
    if (begin < end) file_.not_understood.push_back({range(begin, end), spaced_text(tokens_, begin, end)});
  }
  void declare(std::string name, std::string type, DeclarationKind kind, uint32_t begin, uint32_t end) {
    file_.declarations.push_back({std::move(name), std::move(type), kind, range(begin, end),
                                  spaced_text(tokens_, begin, end),
                                  source_.conditions[tokens_[begin].condition]});
  }
  void number_equal_signatures() {
    std::unordered_map<std::string, uint32_t> seen;
    for (SourceFunction& function : file_.functions) {
      const uint32_t count = ++seen[function.signature];
      if (count > 1) function.signature += " #" + std::to_string(count);
    }
  }

  SourceFile& file_;
  const LexedSource& source_;
  const Tokens& tokens_;
  std::vector<std::string> template_parameters_;  // of the item being read
  uint32_t nesting_ = 0;
};

// Reads what begins at `begin` and returns where the next item begins.
uint32_t StructureParser::item(uint32_t begin, uint32_t end, const Scope& around) {
  template_parameters_.clear();
  uint32_t i = begin;
  while (i < end && tokens_[i].is("template")) {
    if (i + 1 >= end || !tokens_[i + 1].is("<")) return past_semicolon(i, end);  // an explicit instantiation
    const uint32_t after = skip_angles(tokens_, i + 1, end);
    if (after == kNoToken) {
      unknown(i, past_semicolon(i, end));
      return past_semicolon(i, end);
    }
    for (std::string& name : template_parameters(tokens_, i + 1, after - 1)) {
      template_parameters_.push_back(std::move(name));
    }
    i = after;
  }
  if (i >= end) return end;
  const Token& token = tokens_[i];
  if (token.is(";") || token.is("export") || token.kind == TokenKind::kPragma) {
    if (token.kind == TokenKind::kPragma) unknown(i, i + 1);
    return i + 1;
  }
  if (token.is("}") || token.is(")")) {  // closes nothing
    unknown(i, i + 1);
    return i + 1;
  }
  if (token.is("namespace") || (token.is("inline") && i + 1 < end && tokens_[i + 1].is("namespace"))) {
    return namespace_item(i, end, around);
  }
  if (token.is("extern") && i + 1 < end && tokens_[i + 1].kind == TokenKind::kString) {
    if (i + 2 >= end || !tokens_[i + 2].is("{") || tokens_[i + 2].match >= end) return i + 2;
    scope(i + 3, tokens_[i + 2].match, around);
    return tokens_[i + 2].match + 1;
  }
  if ((token.is("public") || token.is("private") || token.is("protected")) && i + 1 < end) {
    uint32_t colon = i + 1;
    while (colon < end && tokens_[colon].is_identifier()) ++colon;  // public slots:
    return colon + 1;
  }
  if (token.is("using") || token.is("concept")) return alias_item(i, end, around);
  if (token.is("static_assert") || token.is("asm") || token.is("__asm__")) return past_semicolon(i, end);
  // MACRO(x) on a line of its own.
  if (token.is_identifier() && looks_like_macro(token.text) && i + 1 < end && tokens_[i + 1].is("(")) {
    const uint32_t close = tokens_[i + 1].match;
    if (close < end &&
        (close + 1 == end || (tokens_[close + 1].line > tokens_[close].line &&
                              (tokens_[close + 1].is_identifier() || tokens_[close + 1].is("["))))) {
      unknown(i, close + 1);
      return close + 1;
    }
  }
  if (token.is("{") && token.match < end) {
    scope(i + 1, token.match, around);
    return token.match + 1;
  }
  const DeclarationHead head = read_head(tokens_, i, end);
  const bool has_stop = head.stop < end;
  if (head.class_key != kNoToken && !head.is_function() && has_stop &&
      (tokens_[head.stop].is("{") || tokens_[head.stop].is(":"))) {
    return class_item(head, end, around);
  }
  if (head.is_function() && has_stop &&
      (tokens_[head.stop].is("{") || tokens_[head.stop].is(":") || tokens_[head.stop].is("try"))) {
    return function_item(head, end, around);
  }
  return declaration_item(head, end, around);
}

uint32_t StructureParser::namespace_item(uint32_t begin, uint32_t end, const Scope& around) {
  uint32_t i = tokens_[begin].is("inline") ? begin + 2 : begin + 1;
  std::string name;
  for (; i < end && !tokens_[i].is("{") && !tokens_[i].is(";") && !tokens_[i].is("="); ++i) {
    if (tokens_[i].match != kNoToken && tokens_[i].match > i && tokens_[i].match < end) {
      i = tokens_[i].match;  // an attribute
    } else if (!tokens_[i].is("inline")) {
      // A macro between (namespace X VISIBILITY {) is no part of the name.
      if (!name.empty() && tokens_[i].is_identifier() && !tokens_[i - 1].is("::")) continue;
      name += tokens_[i].text;
    }
  }
  if (i >= end || !tokens_[i].is("{") || tokens_[i].match >= end) {
    if (i < end && tokens_[i].is("{")) {  // never closed: the rest of the text is in it
      unknown(begin, i + 1);
      scope(i + 1, end, {around.qualify(name), "", false});
      return end;
    }
    return past_semicolon(begin, end);
  }
  scope(i + 1, tokens_[i].match, {around.qualify(name.empty() ? "(anonymous namespace)" : name), "", false});
  return tokens_[i].match + 1;
}

void StructureParser::enumerators(uint32_t open, const Scope& around, const std::string& type) {
  std::string value = "0";  // what the next one has if nothing is said
  uint32_t since = 0;
  for (const auto& [first, last] : split_at_commas(tokens_, open + 1, tokens_[open].match)) {
    if (!tokens_[first].is_identifier()) continue;
    if (first + 1 < last && tokens_[first + 1].is("=")) {
      value = spaced_text(tokens_, first + 2, last);
      since = 0;
    }
    declare(around.qualify(tokens_[first].text), type, DeclarationKind::kEnumerator, first, last);
    file_.declarations.back().text =
        std::string(tokens_[first].text) + " = " + value + " + " + std::to_string(since++);
  }
}

uint32_t StructureParser::class_item(const DeclarationHead& head, uint32_t end, const Scope& around) {
  const bool is_enum = tokens_[head.class_key].is("enum");
  uint32_t open = head.stop;
  while (open < end && !tokens_[open].is("{") && !tokens_[open].is(";")) {
    const bool skip = tokens_[open].is("(") && tokens_[open].match < end;
    open = skip ? tokens_[open].match + 1 : open + 1;
  }
  // `struct S bits : 3;`, or a brace that is never closed.
  if (open >= end || !tokens_[open].is("{") || tokens_[open].match >= end)
    return declaration_item(head, end, around);
  const uint32_t close = tokens_[open].match;
  // The name is the last word before the bases; macros and attributes may stand before it.
  uint32_t name_begin = kNoToken;
  uint32_t name_end = kNoToken;
  for (uint32_t i = head.class_key + 1; i < head.stop; ++i) {
    const Token& token = tokens_[i];
    if (token.is("<")) {
      const uint32_t after = skip_angles(tokens_, i, head.stop);
      if (after == kNoToken) break;
      name_end = after;
      i = after - 1;
    } else if (token.match != kNoToken && token.match > i) {
      i = token.match;
    } else if (token.is_identifier() && !is_keyword(token.text)) {
      const bool qualified = name_begin != kNoToken && tokens_[i - 1].is("::");
      if (!qualified) name_begin = i;
      name_end = i + 1;
    }
  }
  const std::vector<std::string> own_parameters = template_parameters_;
  std::string name = name_begin == kNoToken ? "" : name_text(tokens_, name_begin, name_end, own_parameters);
  const uint32_t after = close + 1;
  const bool has_declarator = after < end && !tokens_[after].is(";") &&
                              past_semicolon(after, end) > after + 1 &&
                              (tokens_[after].is_identifier() || tokens_[after].is("*"));
  const uint32_t declarator = has_declarator && tokens_[after].is("*") ? after + 1 : after;
  const bool named_after = has_declarator && declarator < end && tokens_[declarator].is_identifier();
  const bool is_typedef = tokens_[head.begin].is("typedef");
  if (name.empty() && named_after) name = tokens_[declarator].text;
  Scope inner = around;
  if (!name.empty()) {
    inner = {around.qualify(name),
             name.substr(name.rfind(':') == std::string::npos ? 0 : name.rfind(':') + 1), true};
    inner.class_name = inner.class_name.substr(0, inner.class_name.find('<'));
  }
  inner.is_class = true;
  if (is_enum) {
    bool scoped = head.class_key + 1 < end &&
                  (tokens_[head.class_key + 1].is("class") || tokens_[head.class_key + 1].is("struct"));
    enumerators(open, scoped ? inner : around, around.qualify(name));
  } else {
    if (tokens_[head.stop].is(":")) {
      declare(inner.name, compact_text(tokens_, head.stop + 1, open), DeclarationKind::kClass, head.begin,
              open);
    }
    scope(open + 1, close, inner);
  }
  if (!has_declarator) return after < end && tokens_[after].is(";") ? after + 1 : after;
  const uint32_t next = past_semicolon(after, end);
  // Without a semicolon the next line is no declarator: `} int x;` is not how anyone goes on.
  if (named_after && !is_typedef && declarator + 1 < next &&
      (tokens_[declarator + 1].is(";") || tokens_[declarator + 1].is("=") ||
       tokens_[declarator + 1].is("[") || tokens_[declarator + 1].is("{") ||
       tokens_[declarator + 1].is(","))) {
    declare(around.qualify(tokens_[declarator].text), around.qualify(name),
            around.is_class ? DeclarationKind::kField : DeclarationKind::kVariable, after, next);
    return next;
  }
  return is_typedef ? next : after;
}

uint32_t StructureParser::function_item(const DeclarationHead& head, uint32_t end, const Scope& around) {
  SourceFunction function;
  std::string name = name_text(tokens_, head.name_begin, head.name_end, template_parameters_);
  const bool qualified = name.find("::") != std::string::npos;
  const bool special = name.find("operator") != std::string::npos || name.starts_with("~");
  const bool constructor = around.is_class && name == around.class_name;
  const bool has_arguments = tokens_[head.open].match > head.open + 1;
  const bool by_macro = head.macro_open != kNoToken || (!has_result(tokens_, head) && !qualified &&
                                                        !special && !constructor && has_arguments);
  const uint32_t macro_open = head.macro_open != kNoToken ? head.macro_open : head.open;
  if (by_macro) name += compact_text(tokens_, macro_open, tokens_[macro_open].match + 1);
  function.name = around.qualify(name);
  const bool takes_parameters = !by_macro || head.macro_open != kNoToken;
  function.signature = function.name + (takes_parameters ? parameters_text(tokens_, head) : "");
  function.result = compact_text(tokens_, head.begin, head.name_begin);

  const std::vector<std::string> own_parameters = template_parameters_;
  const Scope inner{function.name, "", false};
  BodyParser parser(source_, function, [&](uint32_t first, uint32_t last) { scope(first, last, inner); });
  if (takes_parameters) parser.parameter_list(head.open + 1, tokens_[head.open].match);

  uint32_t i = head.stop;
  const bool is_try = tokens_[i].is("try");
  if (is_try) ++i;
  if (i < end && tokens_[i].is(":")) {
    ++i;
    while (i < end) {  // name(value), name{value}…
      uint32_t first = i;
      while (i < end && !tokens_[i].is("(") && !tokens_[i].is("{") && !tokens_[i].is(";")) {
        const uint32_t after = tokens_[i].is("<") ? skip_angles(tokens_, i, end) : kNoToken;
        i = after == kNoToken ? i + 1 : after;
      }
      if (i == first || i >= end || tokens_[i].is(";") || tokens_[i].match >= end) break;
      i = tokens_[i].match + 1;
      parser.initializer(first, i);
      if (i < end && tokens_[i].is("...")) ++i;
      if (i >= end || !tokens_[i].is(",")) break;
      ++i;
    }
  }
  if (i >= end || !tokens_[i].is("{") || tokens_[i].match >= end) {
    if (i < end && tokens_[i].is("{")) {  // never closed
      parser.body(i, end);
      function.range = range(head.begin, end);
      file_.functions.push_back(std::move(function));
      unknown(i, i + 1);
      return end;
    }
    const uint32_t next = past_semicolon(head.begin, end);
    unknown(head.begin, next);
    return next;
  }
  uint32_t close = tokens_[i].match;
  parser.body(i, close);
  while (is_try && close + 1 < end && tokens_[close + 1].is("catch")) {
    uint32_t open = close + 1;
    while (open < end && !tokens_[open].is("{")) ++open;
    if (open >= end || tokens_[open].match >= end) break;
    parser.handler(close + 1, open, tokens_[open].match);
    close = tokens_[open].match;
  }
  function.range = range(head.begin, close + 1);
  file_.functions.push_back(std::move(function));
  return close + 1;
}

uint32_t StructureParser::alias_item(uint32_t begin, uint32_t end, const Scope& around) {
  const uint32_t next = past_semicolon(begin, end);
  const uint32_t last = next > begin && tokens_[next - 1].is(";") ? next - 1 : next;
  if (begin + 2 < last && tokens_[begin + 1].is_identifier() && tokens_[begin + 2].is("=")) {
    declare(around.qualify(tokens_[begin + 1].text), compact_text(tokens_, begin + 3, last),
            DeclarationKind::kAlias, begin, next);
  } else if (begin + 1 < last && !tokens_[begin + 1].is("namespace") && tokens_[last - 1].is_identifier()) {
    declare(around.qualify(tokens_[last - 1].text), compact_text(tokens_, begin + 1, last),
            DeclarationKind::kAlias, begin, next);
  } else {
    unknown(begin, next);
  }
  return next;
}

// What lambdas in the initialiser of a variable or field do is as much code as a function is.
void StructureParser::lambdas_of(const std::string& name, uint32_t begin, uint32_t end) {
  const auto holds_code = [](const Token& token) {
    return token.holds_semicolon || token.holds_deep_semicolon;
  };
  if (std::none_of(tokens_.begin() + begin, tokens_.begin() + end, holds_code)) return;
  SourceFunction function;
  function.name = name;
  function.signature = name + " (initializer)";
  function.range = range(begin, end);
  const Scope inner{name, "", false};
  BodyParser(source_, function, [&](uint32_t first, uint32_t last) {
    scope(first, last, inner);
  }).initializer(begin, end);
  file_.functions.push_back(std::move(function));
}

// Variables, fields, functions without a body, typedefs; or what nobody understands.
uint32_t StructureParser::declaration_item(const DeclarationHead& head, uint32_t end, const Scope& around) {
  const uint32_t begin = head.begin;
  uint32_t next = past_semicolon(head.stop < end ? head.stop : begin, end);
  if (head.stop < end && tokens_[head.stop].is("}")) next = head.stop;  // a semicolon is missing
  const uint32_t last = next > begin && tokens_[next - 1].is(";") ? next - 1 : next;
  if (tokens_[begin].is("typedef")) {
    uint32_t name = kNoToken;
    for (const DeclaredName& declared : declared_names(tokens_, begin + 1, last, {})) name = declared.token;
    if (name == kNoToken && last > begin && tokens_[last - 1].is_identifier()) name = last - 1;
    if (name == kNoToken) {
      unknown(begin, next);
    } else {
      declare(around.qualify(tokens_[name].text), compact_text(tokens_, begin + 1, last),
              DeclarationKind::kAlias, begin, next);
    }
    return next;
  }
  const bool ends_here = head.stop >= end || tokens_[head.stop].is(";") || tokens_[head.stop].is("=");
  if (head.is_function() && ends_here) {
    const uint32_t first = head.open + 1;
    const Token& argument = tokens_[first];
    // `Type name(value);`
    const bool values = argument.kind == TokenKind::kNumber || argument.kind == TokenKind::kString ||
                        argument.kind == TokenKind::kCharacter || argument.is("&") || argument.is("-") ||
                        argument.is("true") || argument.is("false") || argument.is("nullptr") ||
                        (argument.is("[") && !tokens_[first + 1].is("["));
    if (!values || around.is_class) {
      const std::string name = name_text(tokens_, head.name_begin, head.name_end, template_parameters_);
      const bool special = name.find("operator") != std::string::npos || name.starts_with("~");
      if (!has_result(tokens_, head) && !special && !(around.is_class && name == around.class_name)) {
        unknown(begin, next);
      } else {
        declare(around.qualify(name) + parameters_text(tokens_, head),
                compact_text(tokens_, begin, head.name_begin), DeclarationKind::kFunction, begin, next);
        file_.declarations.back().text = without_parameter_names(tokens_, begin, next, head);
      }
      return next;
    }
  }
  const std::vector<DeclaredName> names = declared_names(tokens_, begin, last, {.is_outside = true});
  if (names.empty()) {
    // `struct S;` says nothing; a block is looked into.
    const bool forward = head.class_key != kNoToken && head.stop < end && tokens_[head.stop].is(";");
    if (!forward && head.stop < end && tokens_[head.stop].is("{") && tokens_[head.stop].match < end) {
      unknown(begin, head.stop);
      scope(head.stop + 1, tokens_[head.stop].match, around);
      return tokens_[head.stop].match + 1;
    }
    // A label or the like: what comes after it is a new item.
    if (head.stop < end && tokens_[head.stop].is(":")) next = head.stop + 1;
    if (!forward) unknown(begin, next);
    return next;
  }
  for (size_t i = 0; i < names.size(); ++i) {
    const DeclaredName& name = names[i];
    const uint32_t first = begin_of_name(tokens_, name.token, begin);
    declare(around.qualify(name_text(tokens_, first, name.token + 1, template_parameters_)), name.type,
            around.is_class || first != name.token ? DeclarationKind::kField : DeclarationKind::kVariable,
            begin, next);
    if (names.size() == 1) continue;
    // Of several in one declaration, what belongs to this one.
    const uint32_t until = i + 1 < names.size() ? names[i + 1].token : next;
    file_.declarations.back().text =
        spaced_text(tokens_, begin, names[0].token) + " " + spaced_text(tokens_, name.token, until);
  }
  lambdas_of(around.qualify(tokens_[names[0].token].text), begin, next);
  return next;
}

}  // namespace

SourceFile parse_source(std::string path, std::string_view text) {
  SourceFile file;
  file.path = std::move(path);
  LexedSource source = lex_source(text);
  StructureParser(file, source).parse();
  file.macros = std::move(source.macros);
  file.includes = std::move(source.includes);
  return file;
}

}  // namespace heddle
