// The words of a schedule line: bare, or quoted with C-style escapes.
//
// Bare words hold printable ASCII other than space, quote, backslash and '#'. Within quotes, \\ \" \n \t and
// \xNN (exactly two digits) stand for what they stand for in C. '#' outside quotes begins a comment.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "support/error.h"

namespace heddle::trace {

struct Word {
  std::string text;
  bool quoted = false;
};

// The error is the second half of a sentence: "a quote is not closed".
Expected<std::vector<Word>> split_words(std::string_view line);

// The inverse: quotes only what needs it.
std::string print_word(std::string_view text);
std::string quote(std::string_view text);
bool is_bare(std::string_view text);

// Is this the key of a point (16 hexadecimal digits) rather than a name?
bool is_point_key(std::string_view text);

}  // namespace heddle::trace
