// Words as a shell reads and writes them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace heddle {

// One word, whatever it contains.
std::string shell_quoted(const std::string& word);

// Blanks and line ends separate, quotes and backslashes protect: what compilers do with response files, too.
std::vector<std::string> split_words(std::string_view text);

// The quote that is not closed; NUL: none.
char open_quote(std::string_view text);

// A line that a shell takes apart into these words.
std::string shell_line(const std::vector<std::string>& words);

}  // namespace heddle
