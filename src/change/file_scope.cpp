#include "change/file_scope.h"

#include <filesystem>

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

std::set<std::string> included_names(const std::vector<SourceFile>& files) {
  std::set<std::string> names;
  for (const SourceFile& file : files) {
    for (const std::string& include : file.includes) {
      const bool is_quoted = include.size() > 2 && (include.front() == '"' || include.front() == '<');
      const std::string path = is_quoted ? include.substr(1, include.size() - 2) : include;
      names.insert(std::filesystem::path(path).filename().string());
    }
  }
  return names;
}

std::string macro_scope(const std::string& path, const std::set<std::string>& included) {
  if (!is_unit_file(path)) return "";
  return included.contains(std::filesystem::path(path).filename().string()) ? "" : path;
}

}  // namespace heddle
