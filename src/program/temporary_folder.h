// TemporaryFolder: a folder for what compilers write, gone when it is not needed any more. One whose process
// was killed is removed by the next that makes one at the same place.
#pragma once

#include <filesystem>
#include <utility>

#include "support/error.h"

namespace heddle::program {

class TemporaryFolder {
 public:
  // In `parent`, which is made if it is not there; where the system has such folders if it cannot be, or is
  // empty.
  static Expected<TemporaryFolder> make(const std::filesystem::path& parent);

  TemporaryFolder(TemporaryFolder&& other) noexcept
      : path_(std::exchange(other.path_, {})), lock_(std::exchange(other.lock_, -1)) {}
  TemporaryFolder& operator=(TemporaryFolder&&) = delete;
  ~TemporaryFolder();
  const std::filesystem::path& path() const { return path_; }

 private:
  TemporaryFolder(std::filesystem::path path, int lock) : path_(std::move(path)), lock_(lock) {}

  std::filesystem::path path_;
  int lock_;  // an open file of the folder, locked: its process is alive
};

}  // namespace heddle::program
