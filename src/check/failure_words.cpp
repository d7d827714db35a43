#include "check/failure_words.h"

#include <algorithm>
#include <cctype>
#include <fstream>
#include <optional>

#include <fmt/format.h>

#include "report/tellers.h"

namespace heddle {
namespace {

constexpr size_t kMostLines = 8;      // of an assertion that failed
constexpr size_t kMostLastLines = 4;  // of a test that names none
constexpr size_t kLongLine = 200;

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.front())) != 0) text.remove_prefix(1);
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back())) != 0) text.remove_suffix(1);
  return text;
}

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

struct AssertionPlace {
  std::string_view file;
  uint32_t line = 0;
};

// "bank_test.cpp:12: Failure", "bank_test.cpp(12): error: in …".
std::optional<AssertionPlace> assertion_place(std::string_view line) {
  for (size_t at = 0; at < line.size(); ++at) {
    if (line[at] != ':' && line[at] != '(') continue;
    size_t end = at + 1;
    uint32_t number = 0;
    while (end < line.size() && std::isdigit(static_cast<unsigned char>(line[end])) != 0 &&
           number < 10'000'000)
      number = number * 10 + static_cast<uint32_t>(line[end++] - '0');
    const bool is_number = end > at + 1 && number > 0;
    const std::string_view rest = line.substr(end);
    if (!is_number || !(line[at] == ':' ? rest.starts_with(": ") : rest.starts_with("): "))) continue;
    std::string lower(rest);
    std::transform(lower.begin(), lower.end(), lower.begin(),
                   [](unsigned char c) { return std::tolower(c); });
    const bool fails = lower.find("fail") != std::string::npos || lower.find("error") != std::string::npos;
    const std::string_view file = trimmed(line.substr(0, at));
    const bool is_file = file.find('.') != std::string_view::npos && file.find(' ') == std::string_view::npos;
    if (fails && is_file) return AssertionPlace{file, number};
  }
  return std::nullopt;
}

std::string source_line(const AssertionPlace& place, const std::filesystem::path& folder) {
  std::ifstream file(folder / place.file);
  std::string text;
  for (uint32_t i = 0; i < place.line; ++i) {
    if (!std::getline(file, text)) return "";
  }
  return std::string(trimmed(text));
}

std::string without_folders(std::string_view word) {
  const size_t slash = word.rfind('/');
  return std::string(slash == std::string_view::npos ? word : word.substr(slash + 1));
}

}  // namespace

std::string FailureWords::identity() const {
  if (!assertion.empty()) return assertion;
  std::string text;
  for (const std::string& line : lines) {
    std::string_view rest = line;
    while (!(rest = trimmed(rest)).empty()) {
      const size_t end = std::min(rest.find_first_of(" \t"), rest.size());
      text += message_identity(without_folders(rest.substr(0, end))) + ' ';
      rest.remove_prefix(end);
    }
  }
  return text;
}

FailureWords failure_words(std::string_view out, std::string_view err, const std::filesystem::path& folder) {
  FailureWords words;
  for (const std::string_view stream : {out, err}) {
    const std::vector<std::string_view> lines = lines_of(stream);
    for (size_t i = 0; i < lines.size() && words.lines.empty(); ++i) {
      const std::optional<AssertionPlace> place = assertion_place(lines[i]);
      if (!place) continue;
      words.assertion = source_line(*place, folder);
      for (; i < lines.size() && words.lines.size() < kMostLines; ++i) {
        if (trimmed(lines[i]).empty() || (lines[i].starts_with('[') && !words.lines.empty())) break;
        words.lines.emplace_back(lines[i].substr(0, kLongLine));
      }
    }
  }
  for (const std::string_view stream : {err, out}) {
    if (!words.lines.empty()) break;
    const std::vector<std::string_view> lines = lines_of(stream);
    for (size_t i = lines.size(); i > 0 && words.lines.size() < kMostLastLines; --i) {
      if (!trimmed(lines[i - 1]).empty()) words.lines.emplace_back(lines[i - 1].substr(0, kLongLine));
    }
    std::reverse(words.lines.begin(), words.lines.end());
  }
  return words;
}

}  // namespace heddle
