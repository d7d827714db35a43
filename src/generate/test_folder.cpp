#include "generate/test_folder.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>

#include <fmt/format.h>

namespace heddle::generate {

namespace fs = std::filesystem;

Expected<TestFolder> TestFolder::open(const fs::path& path, bool replaces) {
  std::error_code failed;
  const fs::path folder = fs::absolute(path, failed).lexically_normal();
  if (fs::exists(folder, failed) && !fs::is_directory(folder, failed))
    return usage_error(
        fmt::format("--out {}: there is a file of that name, and tests need a folder", path.string()));
  fs::create_directories(folder, failed);
  if (failed)
    return usage_error(fmt::format("cannot make the folder {}: {}", folder.string(), failed.message()));
  const bool is_empty = fs::is_empty(folder, failed);
  if (failed)
    return usage_error(fmt::format("cannot look into the folder {}: {}", folder.string(), failed.message()));
  if (!is_empty && !replaces)
    return usage_error(fmt::format(
        "{} has files in it, and heddle does not overwrite what it finds; name another folder with --out, or "
        "give --force to replace generated tests of the same names",
        folder.string()));
  return TestFolder(folder);
}

fs::path TestFolder::choose_file(const std::string& stem) {
  for (int number = 1;; ++number) {
    const std::string suffix = number == 1 ? "" : fmt::format("_{}", number);
    fs::path file = path_ / fmt::format("{}{}_test.cpp", stem, suffix);
    if (chosen_.insert(file).second) return file;
  }
}

Expected<void> TestFolder::write(const fs::path& file, const std::string& text) {
  std::ofstream out(file, std::ios::binary | std::ios::trunc);
  out << text;
  out.close();
  if (!out) return usage_error(fmt::format("cannot write {}: {}", file.string(), std::strerror(errno)));
  if (std::find(written_.begin(), written_.end(), file) == written_.end()) written_.push_back(file);
  return {};
}

Expected<void> TestFolder::remove(const fs::path& file) {
  if (std::erase(written_, file) == 0) return {};
  std::error_code failed;
  fs::remove(file, failed);
  if (failed) return usage_error(fmt::format("cannot remove {}: {}", file.string(), failed.message()));
  return {};
}

}  // namespace heddle::generate
