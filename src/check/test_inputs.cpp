#include "check/test_inputs.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>

namespace heddle {

bool may_be_read_by_tests(const std::string& file) {
  static constexpr std::array<std::string_view, 26> kEndings = {".md",
                                                                ".rst",
                                                                ".adoc",
                                                                ".tex",
                                                                ".pdf",
                                                                ".html",
                                                                ".css",
                                                                ".png",
                                                                ".svg",
                                                                ".jpg",
                                                                ".gif",
                                                                ".cmake",
                                                                ".cmake.in",
                                                                ".ninja",
                                                                ".mk",
                                                                ".yml",
                                                                ".yaml",
                                                                ".gitignore",
                                                                ".gitattributes",
                                                                ".gitmodules",
                                                                ".clang-format",
                                                                ".clang-tidy",
                                                                ".editorconfig",
                                                                ".sh",
                                                                ".bazel",
                                                                ".gn"};
  static constexpr std::array<std::string_view, 12> kNames = {
      "CMakeLists.txt", "CMakePresets.json", "Makefile",    "meson.build",
      "configure",      "configure.ac",      "heddle.toml", "README",
      "LICENSE",        "AUTHORS",           "CHANGELOG",   "COPYING"};
  const std::string name = std::filesystem::path(file).filename().string();
  const auto stem = std::filesystem::path(file).stem().string();
  if (file.starts_with("docs/") || file.starts_with("doc/") || file.starts_with(".github/")) return false;
  for (const std::string_view known : kNames)
    if (name == known || stem == known) return false;
  return std::none_of(kEndings.begin(), kEndings.end(),
                      [&](std::string_view end) { return name.ends_with(end); });
}

}  // namespace heddle
