#include "program/include_scan.h"

#include <fstream>

namespace heddle::program {
namespace {

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  return text;
}

std::string_view first_word(std::string_view text) {
  size_t end = 0;
  while (end < text.size() && (std::isalnum(static_cast<unsigned char>(text[end])) || text[end] == '_'))
    ++end;
  return text.substr(0, end);
}

}  // namespace

const IncludeScan::File& IncludeScan::read(const std::filesystem::path& path) {
  auto [known, is_new] = files_.try_emplace(path);
  File& file = known->second;
  if (!is_new) return file;
  std::ifstream stream(path);
  std::string line;
  int depth = 0;
  bool is_first = true;
  while (std::getline(stream, line)) {
    std::string_view text = trimmed(line);
    if (!text.starts_with('#')) continue;
    text = trimmed(text.substr(1));
    const std::string_view word = first_word(text);
    const std::string_view rest = trimmed(text.substr(word.size()));
    if (word == "if" || word == "ifdef" || word == "ifndef") {
      // The first condition of a file is a guard against being included twice.
      if (!(is_first && word == "ifndef")) ++depth;
    } else if (word == "endif") {
      if (depth > 0) --depth;
    } else if (word == "define" || word == "undef") {
      file.defined.emplace_back(first_word(rest));
    } else if (word == "include" && depth == 0 && !rest.empty()) {
      const char close = rest.front() == '<' ? '>' : '"';
      const size_t end = rest.find(close, 1);
      if ((rest.front() == '<' || rest.front() == '"') && end != std::string_view::npos)
        file.includes.emplace_back(std::string(rest.substr(1, end - 1)), rest.front() == '"');
    }
    if (word != "pragma") is_first = false;
  }
  return file;
}

IncludedHeaders IncludeScan::scan(const UnitCommand& unit) {
  const std::string root = source_.lexically_normal().string();
  std::vector<std::filesystem::path> folders;
  for (size_t i = 0; i < unit.flags.size(); ++i) {
    std::filesystem::path folder;
    if (unit.flags[i].starts_with("-I"))
      folder = unit.flags[i].substr(2);
    else if ((unit.flags[i] == "-isystem" || unit.flags[i] == "-iquote") && i + 1 < unit.flags.size())
      folder = unit.flags[i + 1];
    else
      continue;
    if (folder.is_relative()) folder = unit.directory / folder;
    folder = folder.lexically_normal();
    const bool is_ours = folder.string().starts_with(root) ||
                         folder.string().starts_with(unit.directory.lexically_normal().string());
    if (is_ours) folders.push_back(folder);
  }

  IncludedHeaders found;
  std::set<std::string> library;
  std::set<std::filesystem::path> seen;
  std::vector<std::filesystem::path> waiting = {unit.file};
  std::error_code error;
  while (!waiting.empty()) {
    const std::filesystem::path path = waiting.back();
    waiting.pop_back();
    if (!seen.insert(path).second) continue;
    const File& file = read(path);
    found.defined.insert(file.defined.begin(), file.defined.end());
    for (const auto& [name, is_quoted] : file.includes) {
      std::vector<std::filesystem::path> places = folders;
      if (is_quoted) places.insert(places.begin(), path.parent_path());
      bool is_found = false;
      for (const std::filesystem::path& folder : places) {
        const std::filesystem::path candidate = (folder / name).lexically_normal();
        if (!files_.contains(candidate) && !std::filesystem::is_regular_file(candidate, error)) continue;
        waiting.push_back(candidate);
        is_found = true;
        break;
      }
      if (!is_found && !is_quoted) library.insert(name);
    }
  }
  found.library.assign(library.begin(), library.end());
  return found;
}

}  // namespace heddle::program
