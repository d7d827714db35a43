// Every occurrence of a text replaced by another.
#pragma once

#include <string>
#include <string_view>

namespace heddle {

inline std::string replaced(std::string text, std::string_view from, std::string_view to) {
  if (from.empty()) return text;
  for (size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
  return text;
}

}  // namespace heddle
