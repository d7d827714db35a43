// SourceText: a source file as tokens with their places in the text, and edits to it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "change/lexer.h"
#include "change/statements.h"

namespace heddle::bench {

// What stands in [begin, end) becomes `text`.
struct Edit {
  size_t begin = 0;
  size_t end = 0;
  std::string text;
};
// They must not overlap. Of two at one place, the one that is given first comes first.
std::string edited(std::string_view text, std::vector<Edit> edits);

struct LineRange {
  std::string file;
  uint32_t first = 0;
  uint32_t last = 0;

  auto operator<=>(const LineRange&) const = default;
};

class SourceText {
 public:
  // The text must outlive this.
  SourceText(std::string file, std::string_view text);

  const std::string& file() const { return file_; }
  std::string_view text() const { return text_; }
  size_t size() const { return source_.tokens.size(); }
  const Token& at(uint32_t token) const;  // beyond the end: an empty one
  // What a token is, for comparisons.
  std::string_view operator[](uint32_t token) const { return at(token).text; }

  size_t begin_of(uint32_t token) const;
  size_t end_of(uint32_t token) const;
  std::string_view between(uint32_t first, uint32_t last) const;  // inclusive
  std::string indentation_of(uint32_t token) const;               // of its line
  Edit replacement(uint32_t first, uint32_t last, std::string text) const;

  // The last token of the statement that begins there; kNoToken if there is none.
  uint32_t end_of_statement(uint32_t first) const;
  // The bracket that closes the block which the token is in.
  uint32_t end_of_block(uint32_t token) const;
  bool begins_statement(uint32_t token) const;
  // Of `a.b[i]->name`, where `name` is the token: `a`.
  uint32_t begin_of_receiver(uint32_t token) const;

  // The outermost function around it.
  const SourceFunction* function_around(uint32_t token) const;
  LineRange lines_of(const SourceFunction& function) const;
  const SourceFile& parsed() const { return parsed_; }

 private:
  std::string file_;
  std::string_view text_;
  LexedSource source_;
  SourceFile parsed_;
};

}  // namespace heddle::bench
