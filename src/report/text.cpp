#include "report/text.h"

#include <cctype>

#include <fmt/format.h>

namespace heddle {
namespace {

constexpr std::string_view kEllipsis = "…";

bool continues_code_point(char c) {
  return (static_cast<unsigned char>(c) & 0xc0) == 0x80;
}

// Bytes of the first `width` code points.
size_t prefix_bytes(std::string_view text, size_t width) {
  size_t i = 0;
  while (i < text.size() && width > 0) {
    ++i;
    while (i < text.size() && continues_code_point(text[i])) ++i;
    --width;
  }
  return i;
}

bool is_name_character(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
}

// Bytes from the opening bracket at `begin` to its closing one; 0 if it is not closed.
size_t bracket_group(std::string_view text, size_t begin) {
  int depth = 0;
  for (size_t i = begin; i < text.size(); ++i) {
    if (text[i] == '<') ++depth;
    if (text[i] == '>' && --depth == 0) return i + 1 - begin;
  }
  return 0;
}

}  // namespace

size_t display_width(std::string_view text) {
  size_t width = 0;
  for (char c : text) width += continues_code_point(c) ? 0 : 1;
  return width;
}

std::string cut_text(std::string_view text, size_t width) {
  if (display_width(text) <= width) return std::string(text);
  if (width == 0) return {};
  return std::string(text.substr(0, prefix_bytes(text, width - 1))).append(kEllipsis);
}

std::string cut_source(std::string_view source, size_t width) {
  if (display_width(source) <= width) return std::string(source);
  std::string text(source);
  for (size_t at = text.find("std::"); at != std::string::npos; at = text.find("std::", at)) {
    text.erase(at, 5);
    size_t end = at;
    while (end < text.size() && is_name_character(text[end])) ++end;
    if (end < text.size() && text[end] == '<') text.erase(end, bracket_group(text, end));
  }
  return cut_text(text, width);
}

std::string fit_text(std::string_view text, size_t width) {
  std::string result = cut_text(text, width);
  result.append(width - display_width(result), ' ');
  return result;
}

std::string printable(std::string_view text) {
  std::string result(text);
  for (char& c : result) {
    auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7f) c = '?';
  }
  return result;
}

std::string join_words(const std::vector<std::string>& words) {
  std::string result;
  for (size_t i = 0; i < words.size(); ++i) {
    if (i > 0) result += i + 1 == words.size() ? " and " : ", ";
    result += words[i];
  }
  return result;
}

std::string count_of(size_t count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

std::string Paint::wrap(std::string_view code, std::string_view text) const {
  if (!enabled_ || text.empty()) return std::string(text);
  return fmt::format("\x1b[{}m{}\x1b[0m", code, text);
}

}  // namespace heddle
