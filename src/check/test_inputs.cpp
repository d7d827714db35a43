#include "check/test_inputs.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>

namespace heddle {
namespace {

constexpr std::array<std::string_view, 7> kBuildEndings = {".cmake", ".cmake.in", ".ninja", ".mk",
                                                           ".sh",    ".bazel",    ".gn"};
constexpr std::array<std::string_view, 7> kBuildNames = {
    "CMakeLists.txt", "CMakePresets.json", "Makefile",   "meson.build",
    "configure",      "configure.ac",      "heddle.toml"};
constexpr std::array<std::string_view, 19> kOtherEndings = {
    ".md",         ".rst",          ".adoc",       ".tex",         ".pdf",
    ".html",       ".css",          ".png",        ".svg",         ".jpg",
    ".gif",        ".yml",          ".yaml",       ".gitignore",   ".gitattributes",
    ".gitmodules", ".clang-format", ".clang-tidy", ".editorconfig"};
constexpr std::array<std::string_view, 5> kOtherNames = {"README", "LICENSE", "AUTHORS", "CHANGELOG",
                                                         "COPYING"};

bool is_one_of(const std::string& file, const auto& names, const auto& endings) {
  const std::string name = std::filesystem::path(file).filename().string();
  const std::string stem = std::filesystem::path(file).stem().string();
  return std::any_of(names.begin(), names.end(),
                     [&](std::string_view known) { return name == known || stem == known; }) ||
         std::any_of(endings.begin(), endings.end(),
                     [&](std::string_view ending) { return name.ends_with(ending); });
}

}  // namespace

bool may_be_read_by_tests(const std::string& file) {
  if (file.starts_with("docs/") || file.starts_with("doc/") || file.starts_with(".github/")) return false;
  return !may_steer_the_build(file) && !is_one_of(file, kOtherNames, kOtherEndings);
}

bool may_steer_the_build(const std::string& file) {
  return is_one_of(file, kBuildNames, kBuildEndings);
}

}  // namespace heddle
