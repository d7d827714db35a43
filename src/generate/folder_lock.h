// FolderLock: one heddle at a time works in a folder. The kernel lets go of it when the process is gone.
#pragma once

#include <filesystem>

#include "execute/unique_fd.h"
#include "support/error.h"

namespace heddle::generate {

class FolderLock {
 public:
  // Makes the folder. An error if another process has it.
  static Expected<FolderLock> take(const std::filesystem::path& folder);

 private:
  explicit FolderLock(UniqueFd file) : file_(std::move(file)) {}
  UniqueFd file_;
};

}  // namespace heddle::generate
