#include "program/include_scan.h"

#include <algorithm>
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

void add_words(std::string_view text, std::vector<std::string>& words) {
  while (!text.empty()) {
    const std::string_view word = first_word(text);
    if (!word.empty() && !std::isdigit(static_cast<unsigned char>(word.front())) && word != "defined")
      words.emplace_back(word);
    text.remove_prefix(std::max<size_t>(word.size(), 1));
  }
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
    if (word.starts_with("if") || word.starts_with("elif")) add_words(rest, file.tested);
    if (word == "if" || word == "ifdef" || word == "ifndef") {
      // The first condition of a file is a guard against being included twice.
      if (!(is_first && word == "ifndef")) ++depth;
    } else if (word == "endif") {
      if (depth > 0) --depth;
    } else if (word == "define" || word == "undef") {
      const std::string name(first_word(rest));
      if (word == "undef" && std::ranges::find(file.defined, name) == file.defined.end())
        file.affects_others = true;
      file.defined.push_back(name);
    } else if (word == "include" && !rest.empty()) {
      if (!file.defined.empty()) file.affects_others = true;
      const char close = rest.front() == '<' ? '>' : '"';
      const size_t end = rest.find(close, 1);
      if ((rest.front() == '<' || rest.front() == '"') && end != std::string_view::npos)
        file.includes.push_back({std::string(rest.substr(1, end - 1)), rest.front() == '"', depth == 0});
    }
    if (word != "pragma") is_first = false;
  }
  return file;
}

struct IncludeScan::Walk {
  std::vector<std::filesystem::path> folders;
  IncludedHeaders found;
  std::set<std::string> library;
  std::set<std::filesystem::path> certain;
};

bool IncludeScan::exists(const std::filesystem::path& path) {
  auto [known, is_new] = exists_.try_emplace(path, false);
  std::error_code error;
  if (is_new) known->second = std::filesystem::is_regular_file(path, error);
  return known->second;
}

void IncludeScan::follow(const std::filesystem::path& path, bool is_certain, Walk& walk) {
  const bool is_new = walk.found.reachable.insert(path).second;
  const bool is_new_for_certain = is_certain && walk.certain.insert(path).second;
  if (!is_new && !is_new_for_certain) return;
  for (const Include& include : read(path).includes) {
    const bool is_next_certain = is_certain && include.is_certain;
    std::filesystem::path next;
    if (include.is_quoted) next = (path.parent_path() / include.name).lexically_normal();
    if (next.empty() || !exists(next)) {
      next.clear();
      for (const std::filesystem::path& folder : walk.folders) {
        std::filesystem::path candidate = (folder / include.name).lexically_normal();
        if (!exists(candidate)) continue;
        next = std::move(candidate);
        break;
      }
    }
    if (!next.empty())
      follow(next, is_next_certain, walk);
    else if (is_next_certain && !include.is_quoted)
      walk.library.insert(include.name);
  }
  if (is_new_for_certain) walk.found.project.push_back(path);
}

IncludedHeaders IncludeScan::scan(const UnitCommand& unit) {
  Walk walk;
  const std::string root = source_.lexically_normal().string();
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
    if (is_ours) walk.folders.push_back(folder);
  }
  for (size_t i = 0; i + 1 < unit.flags.size(); ++i) {
    if (unit.flags[i] != "-include") continue;
    const std::filesystem::path forced = (unit.directory / unit.flags[i + 1]).lexically_normal();
    if (exists(forced)) follow(forced, true, walk);
  }
  follow(unit.file, true, walk);
  walk.found.project.pop_back();  // the unit itself, which is last
  walk.found.library.assign(walk.library.begin(), walk.library.end());
  return std::move(walk.found);
}

}  // namespace heddle::program
