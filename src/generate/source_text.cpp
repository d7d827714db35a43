#include "generate/source_text.h"

#include <algorithm>

#include <fmt/format.h>

namespace heddle::generate {

void SourceText::add(const std::string& text, LineOwner owner) {
  source_.text += text + "\n";
  const auto lines = static_cast<size_t>(std::count(text.begin(), text.end(), '\n')) + 1;
  source_.owners.insert(source_.owners.end(), lines, owner);
}

std::string include_line(const std::string& header) {
  const bool is_complete = !header.empty() && (header.front() == '<' || header.front() == '"');
  return is_complete ? fmt::format("#include {}", header) : fmt::format("#include \"{}\"", header);
}

std::string string_literal(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7f || c == '"' || c == '\\' || c == '?') {
      out += fmt::format("\\{:03o}", byte);
    } else {
      out += c;
    }
  }
  return out + "\"";
}

}  // namespace heddle::generate
