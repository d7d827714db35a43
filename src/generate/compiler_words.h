// Which lines of a source the compiler refused, by its own words: gcc's or clang's.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace heddle::generate {

struct CompilerErrors {
  std::map<uint32_t, std::string> by_line;  // of the source; the first error of each
  std::vector<std::string> elsewhere;       // errors that no line of the source is to blame for
};

// An error within a template belongs to the line that made the compiler instantiate it.
CompilerErrors read_compiler_words(const std::string& words, const std::string& source);

}  // namespace heddle::generate
