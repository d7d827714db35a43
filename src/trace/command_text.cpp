#include "trace/command_text.h"

namespace heddle::trace {

std::string join_command(const std::vector<std::string>& words) {
  std::string text;
  for (size_t i = 0; i < words.size(); ++i) {
    text += i == 0 ? "" : "\n";
    for (const char c : words[i]) {
      if (c == '\n') {
        text += "\\n";
      } else if (c == '\\') {
        text += "\\\\";
      } else {
        text += c;
      }
    }
  }
  return text;
}

std::vector<std::string> split_command(std::string_view text) {
  if (text.empty()) {
    return {};
  }
  std::vector<std::string> words(1);
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\n') {
      words.emplace_back();
    } else if (text[i] == '\\' && i + 1 < text.size()) {
      ++i;
      words.back() += text[i] == 'n' ? '\n' : text[i];
    } else {
      words.back() += text[i];
    }
  }
  return words;
}

}  // namespace heddle::trace
