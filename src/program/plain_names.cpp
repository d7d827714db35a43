#include "program/plain_names.h"

namespace heddle::program {

std::string without_template_arguments(std::string_view name) {
  if (name.find('<') == std::string_view::npos) return std::string(name);
  std::string plain;
  int depth = 0;
  for (const char c : name) {
    if (c == '<') ++depth;
    if (depth == 0) plain += c;
    if (c == '>') --depth;
  }
  return plain;
}

}  // namespace heddle::program
