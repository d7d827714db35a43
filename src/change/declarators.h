// Which names a run of tokens declares, and with which types: as a reader guesses it, without a symbol table.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "change/lexer.h"

namespace heddle {

using Tokens = std::vector<Token>;

struct DeclaredName {
  uint32_t token = kNoToken;  // kNoToken: a parameter without a name
  std::string type;
};

bool is_keyword(std::string_view word);
bool is_builtin_type(std::string_view word);
// UPPER_CASE: a macro, by the convention of most projects.
bool looks_like_macro(std::string_view word);

// The token after the `>` that closes the `<` at `open`, or kNoToken if this is a comparison.
uint32_t skip_angles(const Tokens& tokens, uint32_t open, uint32_t end);

// Names that [begin, end) declares if it reads as a declaration of variables: `T a = 1, *b;`, `auto [a, b] =
// …`, `T name GUARDED_BY(m)`. Empty if it is an expression. `is_variable` tells names that cannot be types.
struct DeclarationRules {
  bool is_condition = false;  // of if, while, for: an initialiser must follow
  bool is_outside = false;    // of functions: `int Class::member = 1;`, where the last word is the name
  std::function<bool(std::string_view)> is_variable;
};
std::vector<DeclaredName> declared_names(const Tokens& tokens, uint32_t begin, uint32_t end,
                                         const DeclarationRules& rules);

// Parameters between the parentheses [begin, end): all of them, also unnamed ones.
std::vector<DeclaredName> parameters(const Tokens& tokens, uint32_t begin, uint32_t end);

// Where the parts between commas outside of brackets begin and end.
std::vector<std::pair<uint32_t, uint32_t>> split_at_commas(const Tokens& tokens, uint32_t begin,
                                                           uint32_t end);

}  // namespace heddle
