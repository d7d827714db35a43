#include "report/html/source_excerpts.h"

#include <algorithm>
#include <filesystem>
#include <fstream>

namespace heddle {
namespace {

using nlohmann::ordered_json;

// A file up to this is shown as a whole: one can read on in it.
constexpr size_t kSmallFile = 1500;
// Of a larger one this much before and behind what is mentioned.
constexpr uint32_t kAround = 60;
// Generated files can be huge; nobody reads those.
constexpr size_t kMostLines = 200'000;

std::vector<std::string> read_lines(const std::filesystem::path& path) {
  std::vector<std::string> lines;
  std::error_code failed;
  if (!std::filesystem::is_regular_file(path, failed)) return lines;
  std::ifstream input(path);
  for (std::string line; lines.size() < kMostLines && std::getline(input, line);) {
    if (line.ends_with('\r')) line.pop_back();
    lines.push_back(std::move(line));
  }
  return lines;
}

// [first, last] of lines that follow each other.
ordered_json ranges(const std::set<uint32_t>& lines) {
  ordered_json result = ordered_json::array();
  for (const uint32_t line : lines) {
    if (!result.empty() && result.back()[1].get<uint32_t>() + 1 == line) {
      result.back()[1] = line;
    } else {
      result.push_back({line, line});
    }
  }
  return result;
}

ordered_json chunk(const std::vector<std::string>& lines, uint32_t first, uint32_t last) {
  ordered_json text = ordered_json::array();
  for (uint32_t line = first; line <= last; ++line) text.push_back(lines[line - 1]);
  return {{"first", first}, {"lines", std::move(text)}};
}

}  // namespace

size_t SourceExcerpts::file(const std::string& path) {
  const auto [entry, is_new] = numbers_.try_emplace(path, files_.size());
  if (is_new) files_.push_back({.path = path, .lines = {}, .mentioned = {}, .changed = {}});
  return entry->second;
}

void SourceExcerpts::change(const std::string& path, const std::vector<uint32_t>& lines) {
  files_[file(path)].changed.insert(lines.begin(), lines.end());
}

void SourceExcerpts::provide(const std::string& path, const std::vector<std::string>& lines) {
  File& target = files_[file(path)];
  if (target.lines.empty()) target.lines = lines;
}

void SourceExcerpts::read_missing(const std::string& root) {
  for (File& file : files_) {
    if (file.lines.empty() && (file.path.starts_with('/') || !root.empty()))
      file.lines = read_lines(std::filesystem::path(root) / file.path);
  }
}

ordered_json SourceExcerpts::to_json() const {
  ordered_json result = ordered_json::array();
  for (const File& file : files_) {
    const auto count = static_cast<uint32_t>(file.lines.size());
    ordered_json chunks = ordered_json::array();
    if (count > 0 && count <= kSmallFile) {
      chunks.push_back(chunk(file.lines, 1, count));
    } else {
      std::set<uint32_t> around = file.mentioned;
      around.insert(file.changed.begin(), file.changed.end());
      uint32_t first = 0;
      uint32_t last = 0;
      for (const uint32_t line : around) {
        if (line == 0 || line > count) continue;
        const uint32_t from = line > kAround ? line - kAround : 1;
        if (first == 0 || from > last + 1) {
          if (first != 0) chunks.push_back(chunk(file.lines, first, last));
          first = from;
        }
        last = std::min(count, line + kAround);
      }
      if (first != 0) chunks.push_back(chunk(file.lines, first, last));
    }
    ordered_json one = {{"path", file.path}, {"chunks", std::move(chunks)}};
    if (!file.changed.empty()) one["changed"] = ranges(file.changed);
    result.push_back(std::move(one));
  }
  return result;
}

}  // namespace heddle
