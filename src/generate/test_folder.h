// TestFolder: where generated tests are written. What was there is never replaced unless that is wanted.
#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "support/error.h"

namespace heddle::generate {

class TestFolder {
 public:
  // Makes it. A folder with files in it is refused, unless `replaces`: then files of the same name are
  // written anew, and nothing else is touched.
  static Expected<TestFolder> open(const std::filesystem::path& path, bool replaces);

  // A file that this run has not written yet: "cache_put_size_test.cpp", "cache_put_size_2_test.cpp", …
  std::filesystem::path choose_file(const std::string& stem);
  Expected<void> write(const std::filesystem::path& file, const std::string& text);

  // A file that this run has written.
  Expected<void> remove(const std::filesystem::path& file);

  const std::filesystem::path& path() const { return path_; }
  const std::vector<std::filesystem::path>& written() const { return written_; }

 private:
  explicit TestFolder(std::filesystem::path path) : path_(std::move(path)) {}

  std::filesystem::path path_;
  std::set<std::filesystem::path> chosen_;
  std::vector<std::filesystem::path> written_;
};

}  // namespace heddle::generate
