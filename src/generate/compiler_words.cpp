#include "generate/compiler_words.h"

#include <cctype>
#include <cstdlib>
#include <sstream>

namespace heddle::generate {
namespace {

// "file:12:5: error: …" as its parts; no line: this is something else.
struct Diagnostic {
  std::string file;
  uint32_t line = 0;
  std::string text;
};

Diagnostic read_line(const std::string& text) {
  for (size_t colon = text.find(':'); colon != std::string::npos; colon = text.find(':', colon + 1)) {
    size_t at = colon + 1;
    if (at >= text.size() || std::isdigit(static_cast<unsigned char>(text[at])) == 0) continue;
    Diagnostic diagnostic;
    diagnostic.file = text.substr(0, colon);
    char* end = nullptr;
    diagnostic.line = static_cast<uint32_t>(std::strtoul(text.c_str() + at, &end, 10));
    at = static_cast<size_t>(end - text.c_str());
    // The column, if it is told.
    if (at + 1 < text.size() && text[at] == ':' &&
        std::isdigit(static_cast<unsigned char>(text[at + 1])) != 0) {
      std::strtoul(text.c_str() + at + 1, &end, 10);
      at = static_cast<size_t>(end - text.c_str());
    }
    if (at < text.size() && text[at] == ':') ++at;
    diagnostic.text = text.substr(std::min(text.find_first_not_of(' ', at), text.size()));
    return diagnostic;
  }
  return {};
}

std::string error_in(const std::string& text) {
  for (const char* word : {"fatal error: ", "error: "}) {
    const size_t at = text.find(word);
    if (at == 0) return text.substr(std::string(word).size());
  }
  return {};
}

bool tells_of_instantiation(const std::string& text) {
  return text.find("required from") != std::string::npos || text.find("required by") != std::string::npos ||
         text.find("requested here") != std::string::npos;
}

}  // namespace

CompilerErrors read_compiler_words(const std::string& words, const std::string& source) {
  CompilerErrors errors;
  uint32_t required_from = 0;  // gcc tells before the error which line it comes from,
  std::string unexplained;     // clang after it
  const auto blame = [&](uint32_t line, const std::string& error) { errors.by_line.emplace(line, error); };
  std::istringstream lines(words);
  for (std::string line; std::getline(lines, line);) {
    const Diagnostic diagnostic = read_line(line);
    if (diagnostic.line == 0) continue;
    const bool is_in_source = diagnostic.file == source;
    if (const std::string error = error_in(diagnostic.text); !error.empty()) {
      if (!unexplained.empty()) errors.elsewhere.push_back(unexplained);
      unexplained.clear();
      if (is_in_source)
        blame(diagnostic.line, error);
      else if (required_from != 0)
        blame(required_from, error);
      else
        unexplained = line;
      required_from = 0;
    } else if (is_in_source && tells_of_instantiation(diagnostic.text)) {
      if (unexplained.empty()) {
        required_from = diagnostic.line;
      } else {
        blame(diagnostic.line, error_in(read_line(unexplained).text));
        unexplained.clear();
      }
    }
  }
  if (!unexplained.empty()) errors.elsewhere.push_back(unexplained);
  return errors;
}

}  // namespace heddle::generate
