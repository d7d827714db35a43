// Tokens of a C or C++ source file. Comments and layout are gone, preprocessor lines are taken out of the
// stream: macros and includes are listed, conditionals are kept as the condition under which a token is
// compiled.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "change/statements.h"

namespace heddle {

enum class TokenKind : uint8_t {
  kIdentifier,  // also keywords
  kNumber,
  kString,
  kCharacter,
  kPunctuator,
  kPragma,  // the whole line: it can change what the next statement does (OpenMP)
};

inline constexpr uint32_t kNoToken = ~0u;

struct Token {
  TokenKind kind = TokenKind::kPunctuator;
  std::string_view text;  // of the source
  uint32_t line = 0;
  uint32_t column = 0;
  uint32_t last_line = 0;
  uint32_t last_column = 0;
  uint32_t match = kNoToken;  // of a bracket: its partner
  uint32_t condition = 0;     // in LexedSource::conditions
  // Of `{`: whether there is a `;` directly between it and its partner, or anywhere inside.
  bool holds_semicolon = false;
  bool holds_deep_semicolon = false;

  bool is(std::string_view wanted) const { return text == wanted && kind != TokenKind::kString; }
  bool is_identifier() const { return kind == TokenKind::kIdentifier; }
};

struct LexedSource {
  std::vector<Token> tokens;
  std::vector<std::string> conditions;  // [0] is empty: always compiled
  std::vector<SourceMacro> macros;
  std::vector<std::string> includes;
};

// Linear in the text. Of conditionals all branches are kept (but not `#if 0`); brackets that only another
// branch than the first opens or closes are dropped, so that what comes after has the nesting of the first
// branch.
LexedSource lex_source(std::string_view text);

// The tokens alone, without partners: of text that comes from here.
std::vector<Token> tokenize(std::string_view text);

// Tokens [begin, end) with one space between them.
std::string spaced_text(const std::vector<Token>& tokens, uint32_t begin, uint32_t end);
// The same as a person would write a type: "const std::map<int, Foo*>&".
std::string compact_text(const std::vector<Token>& tokens, uint32_t begin, uint32_t end);

}  // namespace heddle
