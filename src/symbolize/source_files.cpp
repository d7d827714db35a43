#include "symbolize/source_files.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace heddle {
namespace {

// Generated files can be huge; nobody reads a line of those.
constexpr uintmax_t kMaxFileSize = 32 << 20;

std::string trimmed(std::string line) {
  std::replace(line.begin(), line.end(), '\t', ' ');
  size_t first = line.find_first_not_of(" \r");
  if (first == std::string::npos) return {};
  return line.substr(first, line.find_last_not_of(" \r") - first + 1);
}

std::vector<std::string> read_lines(std::istream& input) {
  std::vector<std::string> lines;
  for (std::string line; std::getline(input, line);) lines.push_back(trimmed(std::move(line)));
  return lines;
}

std::vector<std::string> read_file(const std::string& file) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(file, error)) return {};
  if (std::filesystem::file_size(file, error) > kMaxFileSize || error) return {};
  std::ifstream input(file);
  return read_lines(input);
}

}  // namespace

std::optional<std::string_view> SourceFiles::line(const std::string& file, uint32_t number) {
  auto [entry, is_new] = files_.try_emplace(file);
  if (is_new) entry->second = read_file(file);
  if (number == 0 || number > entry->second.size()) return std::nullopt;
  return entry->second[number - 1];
}

void SourceFiles::provide(const std::string& file, std::string_view text) {
  std::istringstream input{std::string(text)};
  files_[file] = read_lines(input);
}

}  // namespace heddle
