#include "change/file_scope.h"

#include <algorithm>
#include <filesystem>
#include <set>

namespace heddle {
namespace {

std::string ending_of(const std::string& path) {
  return std::filesystem::path(path).extension().string();
}

}  // namespace

bool is_unit_file(const std::string& path) {
  static const std::set<std::string> kEndings = {".c", ".cc", ".cpp", ".cxx", ".c++", ".C", ".ixx", ".cppm"};
  return kEndings.contains(ending_of(path));
}

bool is_source_file(const std::string& path) {
  static const std::set<std::string> kEndings = {".h",   ".hh",  ".hpp", ".hxx", ".h++", ".H",
                                                 ".inc", ".inl", ".ipp", ".tpp", ".txx"};
  return is_unit_file(path) || kEndings.contains(ending_of(path));
}

std::string macro_scope(const SourceFile& file, const std::vector<SourceFile>& files) {
  if (!is_unit_file(file.path)) return "";
  const std::string name = std::filesystem::path(file.path).filename().string();
  const bool is_included = std::ranges::any_of(files, [&](const SourceFile& other) {
    return std::ranges::any_of(other.includes, [&](const std::string& include) {
      const bool is_quoted = include.size() > 2 && (include.front() == '"' || include.front() == '<');
      const std::string path = is_quoted ? include.substr(1, include.size() - 2) : include;
      return std::filesystem::path(path).filename().string() == name;
    });
  });
  return is_included ? "" : file.path;
}

}  // namespace heddle
