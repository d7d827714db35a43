// Words for a shell: quoting what is handed to one.
#pragma once

#include <string>

namespace heddle {

// One word, whatever it contains.
inline std::string shell_quoted(const std::string& word) {
  std::string quoted = "'";
  for (const char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

}  // namespace heddle
