#include "change/declarators.h"

#include <algorithm>
#include <cctype>
#include <unordered_set>

namespace heddle {

namespace {

using Words = std::unordered_set<std::string_view>;

const Words& builtin_types() {
  static const Words words = {"void",     "bool",     "char",   "short",    "int",     "long",
                              "float",    "double",   "signed", "unsigned", "wchar_t", "char8_t",
                              "char16_t", "char32_t", "auto",   "__int128", "_Bool",   "_Complex"};
  return words;
}

// May stand before or within a type without being one.
const Words& specifiers() {
  static const Words words = {
      "static",   "const",        "constexpr",     "constinit",     "consteval",   "inline",  "mutable",
      "extern",   "thread_local", "volatile",      "register",      "typename",    "struct",  "class",
      "union",    "enum",         "__thread",      "restrict",      "__restrict",  "virtual", "friend",
      "explicit", "__inline",     "__extension__", "_Thread_local", "__volatile__"};
  return words;
}

// Storage and linkage are no part of the type that a declaration is known by.
const Words& storage_words() {
  static const Words words = {"static",   "constexpr",     "constinit",    "consteval", "inline", "mutable",
                              "extern",   "thread_local",  "register",     "typename",  "struct", "class",
                              "union",    "enum",          "__thread",     "virtual",   "friend", "explicit",
                              "__inline", "__extension__", "_Thread_local"};
  return words;
}

const Words& other_keywords() {
  static const Words words = {"return",      "delete",
                              "new",         "throw",
                              "goto",        "case",
                              "default",     "if",
                              "else",        "for",
                              "while",       "do",
                              "switch",      "break",
                              "continue",    "try",
                              "catch",       "sizeof",
                              "alignof",     "operator",
                              "using",       "typedef",
                              "this",        "nullptr",
                              "true",        "false",
                              "co_return",   "co_await",
                              "co_yield",    "static_assert",
                              "namespace",   "template",
                              "asm",         "__asm__",
                              "and",         "or",
                              "not",         "xor",
                              "noexcept",    "requires",
                              "concept",     "typeid",
                              "static_cast", "dynamic_cast",
                              "const_cast",  "reinterpret_cast",
                              "decltype",    "alignas",
                              "public",      "private",
                              "protected",   "override",
                              "final",       "__attribute__",
                              "__asm"};
  return words;
}

bool ends_declarator(const Tokens& tokens, uint32_t index, uint32_t end, bool is_condition) {
  if (index >= end) return !is_condition;
  const Token& token = tokens[index];
  if (token.is("=") || token.is("{") || token.is(":")) return true;
  if (is_condition) return false;
  if (token.is_identifier()) return looks_like_macro(token.text) || token.is("__attribute__");
  return token.is("(") || token.is(";") || token.is("[") || token.is(",") || token.is(")");
}

// The token after an attribute (`[[…]]`, alignas(…), __attribute__((…))) at `index`, or `index`.
uint32_t skip_attribute(const Tokens& tokens, uint32_t index, uint32_t end) {
  const Token& token = tokens[index];
  if (token.is("[") && index + 1 < end && tokens[index + 1].is("[") && token.match != kNoToken)
    return token.match + 1;
  if ((token.is("alignas") || token.is("__attribute__") || token.is("__declspec")) && index + 1 < end &&
      tokens[index + 1].is("(") && tokens[index + 1].match != kNoToken) {
    return tokens[index + 1].match + 1;
  }
  return index;
}

// Further declarators after the first: `, *b = 2, c[3]`.
void more_names(const Tokens& tokens, uint32_t from, uint32_t end, const std::string& type,
                std::vector<DeclaredName>& names) {
  for (uint32_t i = from; i < end; ++i) {
    const Token& token = tokens[i];
    if (token.match != kNoToken && token.match > i) {
      i = token.match;
    } else if (token.is(";")) {
      return;
    } else if (token.is(",")) {
      uint32_t name = i + 1;
      std::string full = type;
      while (name < end && (tokens[name].is("*") || tokens[name].is("&") || tokens[name].is("const"))) {
        full += tokens[name++].text;
      }
      if (name < end && tokens[name].is_identifier() && !is_keyword(tokens[name].text) &&
          ends_declarator(tokens, name + 1, end, false)) {
        names.push_back({name, full});
      }
    }
  }
}

}  // namespace

bool is_builtin_type(std::string_view word) {
  return builtin_types().contains(word);
}

bool is_keyword(std::string_view word) {
  return is_builtin_type(word) || specifiers().contains(word) || other_keywords().contains(word);
}

bool looks_like_macro(std::string_view word) {
  bool letters = false;
  for (const char c : word) {
    if (std::islower(static_cast<unsigned char>(c))) return false;
    letters |= std::isupper(static_cast<unsigned char>(c)) != 0;
  }
  return letters && word.size() > 1;
}

uint32_t skip_angles(const Tokens& tokens, uint32_t open, uint32_t end) {
  // No argument list is that long; the bound keeps `a < b < c …` from costing a scan to the end each time.
  constexpr uint32_t kLongest = 600;
  uint32_t depth = 0;
  const uint32_t last = std::min(end, open + kLongest);
  for (uint32_t i = open; i < last; ++i) {
    const Token& token = tokens[i];
    if (token.is("<")) {
      ++depth;
    } else if (token.is(">")) {
      if (--depth == 0) return i + 1;
    } else if (token.is(";") || token.is("||")) {
      return kNoToken;
    } else if (token.match != kNoToken) {
      if (token.match < i) return kNoToken;
      i = token.match;
    }
  }
  return kNoToken;
}

std::vector<DeclaredName> declared_names(const Tokens& tokens, uint32_t begin, uint32_t end,
                                         const DeclarationRules& rules) {
  std::vector<DeclaredName> names;
  Tokens type_tokens;
  bool has_type = false;
  bool by_keyword = false;  // the type is certain: int, auto, struct X
  bool and_and = false;
  bool is_auto = false;
  const auto text_of_type = [&] {
    return compact_text(type_tokens, 0, static_cast<uint32_t>(type_tokens.size()));
  };
  uint32_t i = begin;
  while (i < end) {
    const Token& token = tokens[i];
    if (const uint32_t after = skip_attribute(tokens, i, end); after != i) {
      i = after;
      continue;
    }
    if (token.is_identifier()) {
      if (token.is("decltype") || token.is("_Atomic") || token.is("typeof") || token.is("__typeof__")) {
        type_tokens.push_back(token);
        ++i;
        if (i < end && tokens[i].is("(") && tokens[i].match != kNoToken) {
          for (const uint32_t close = tokens[i].match; i <= close; ++i) type_tokens.push_back(tokens[i]);
          has_type = by_keyword = true;
        }
        continue;
      }
      if (is_builtin_type(token.text)) {
        has_type = by_keyword = true;
        is_auto |= token.is("auto");
        type_tokens.push_back(token);
        ++i;
        continue;
      }
      if (specifiers().contains(token.text)) {
        if (!storage_words().contains(token.text)) type_tokens.push_back(token);
        by_keyword |= token.is("struct") || token.is("enum") || token.is("union") || token.is("class");
        ++i;
        continue;
      }
      if (is_keyword(token.text)) return {};
      if (has_type && ends_declarator(tokens, i + 1, end, rules.is_condition)) {
        const bool call = i + 1 < end && tokens[i + 1].is("(");
        if (and_and && call && !is_auto) return {};  // `ready && go();`
        names.push_back({i, text_of_type()});
        // The type without what belongs to the first declarator only.
        while (!type_tokens.empty() && (type_tokens.back().is("*") || type_tokens.back().is("&"))) {
          type_tokens.pop_back();
        }
        more_names(tokens, i + 1, end, text_of_type(), names);
        return names;
      }
      const bool qualified =
          rules.is_outside && i + 1 < end && (tokens[i + 1].is("::") || tokens[i + 1].is("<"));
      if (has_type && (by_keyword || and_and) && !qualified) return {};
    } else if (token.is("*") || token.is("&") || token.is("&&") || token.is("...")) {
      if (!has_type) return {};
      and_and |= token.is("&&");
      type_tokens.push_back(token);
      ++i;
      continue;
    } else if (token.is("[") && is_auto && token.match != kNoToken) {
      for (uint32_t name = i + 1; name < token.match; ++name) {
        if (tokens[name].is_identifier()) names.push_back({name, text_of_type()});
      }
      return names;
    } else if (token.is("(") && has_type && i + 2 < end && (tokens[i + 1].is("*") || tokens[i + 1].is("&")) &&
               token.match != kNoToken && token.match + 1 < end &&
               (tokens[token.match + 1].is("(") || tokens[token.match + 1].is("["))) {
      for (uint32_t name = i + 2; name < token.match; ++name) {
        if (tokens[name].is_identifier() && !is_keyword(tokens[name].text)) {
          const uint32_t close = tokens[token.match + 1].match;
          names.push_back(
              {name, text_of_type() + "(*)" +
                         (close == kNoToken ? "" : compact_text(tokens, token.match + 1, close + 1))});
          return names;
        }
      }
      return {};
    } else if (!token.is("::")) {
      return {};
    }
    // A qualified name with template arguments.
    const uint32_t first = i;
    while (i < end) {
      if (tokens[i].is("::")) {
        ++i;
        if (i < end && tokens[i].is("template")) ++i;
        continue;
      }
      if (!tokens[i].is_identifier() || (i > first && !tokens[i - 1].is("::"))) break;
      ++i;
      if (i < end && tokens[i].is("<")) {
        const uint32_t after = skip_angles(tokens, i, end);
        if (after == kNoToken) return {};
        i = after;
      }
      if (i >= end || !tokens[i].is("::")) break;
    }
    if (i == first) return {};
    if (i == first + 1 && rules.is_variable && rules.is_variable(token.text)) return {};
    if (has_type && rules.is_outside && i > first + 2 && tokens[i - 1].is_identifier() &&
        ends_declarator(tokens, i, end, false)) {
      return {{i - 1, text_of_type()}};
    }
    if (has_type) type_tokens.clear();  // what seemed a type was a macro before it
    type_tokens.insert(type_tokens.end(), tokens.begin() + first, tokens.begin() + i);
    has_type = true;
  }
  return names;
}

std::vector<std::pair<uint32_t, uint32_t>> split_at_commas(const Tokens& tokens, uint32_t begin,
                                                           uint32_t end) {
  std::vector<std::pair<uint32_t, uint32_t>> parts;
  uint32_t start = begin;
  for (uint32_t i = begin; i < end; ++i) {
    if (tokens[i].is(",")) {
      parts.emplace_back(start, i);
      start = i + 1;
    } else if (tokens[i].is("<") && i > begin && tokens[i - 1].is_identifier()) {
      if (const uint32_t after = skip_angles(tokens, i, end); after != kNoToken) i = after - 1;
    } else if (tokens[i].match != kNoToken && tokens[i].match > i) {
      i = tokens[i].match;
    }
  }
  if (start < end) parts.emplace_back(start, end);
  return parts;
}

std::vector<DeclaredName> parameters(const Tokens& tokens, uint32_t begin, uint32_t end) {
  std::vector<DeclaredName> result;
  for (auto [first, last] : split_at_commas(tokens, begin, end)) {
    while (first < last && skip_attribute(tokens, first, last) != first)
      first = skip_attribute(tokens, first, last);
    for (uint32_t i = first; i < last; ++i) {
      if (tokens[i].is("=")) last = i;
      if (i < last && tokens[i].match != kNoToken && tokens[i].match > i) i = tokens[i].match;
    }
    if (last == first || (last == first + 1 && tokens[first].is("void"))) continue;
    uint32_t name = kNoToken;
    uint32_t words = 0;  // that can be a type
    for (uint32_t i = first; i < last; ++i) {
      const Token& token = tokens[i];
      if (token.is("(") && i + 1 < last && (tokens[i + 1].is("*") || tokens[i + 1].is("&"))) {
        for (uint32_t inner = i + 2; inner < last && inner < token.match; ++inner) {
          if (tokens[inner].is_identifier()) name = inner;
        }
        break;
      }
      if (token.is("<") && i > first && tokens[i - 1].is_identifier()) {
        if (const uint32_t after = skip_angles(tokens, i, last); after != kNoToken) {
          i = after - 1;
          continue;
        }
      }
      if (token.match != kNoToken && token.match > i) {
        i = token.match;
      } else if (token.is_identifier() && !specifiers().contains(token.text)) {
        const bool qualified = i > first && tokens[i - 1].is("::");
        const bool scope = i + 1 < last && tokens[i + 1].is("::");
        if (words > 0 && !qualified && !scope && !is_keyword(token.text) && name == kNoToken) name = i;
        if (!qualified) ++words;
      }
    }
    Tokens without_name;
    for (uint32_t i = first; i < last; ++i) {
      if (i != name) without_name.push_back(tokens[i]);
    }
    result.push_back({name, compact_text(without_name, 0, static_cast<uint32_t>(without_name.size()))});
  }
  return result;
}

}  // namespace heddle
