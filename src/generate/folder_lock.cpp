#include "generate/folder_lock.h"

#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <sys/file.h>

#include <fmt/format.h>

namespace heddle::generate {

Expected<FolderLock> FolderLock::take(const std::filesystem::path& folder) {
  std::error_code failed;
  std::filesystem::create_directories(folder, failed);
  UniqueFd file(open((folder / "lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644));
  if (file.get() < 0)
    return usage_error(fmt::format("cannot write to {}: {}", folder.string(), std::strerror(errno)));
  if (flock(file.get(), LOCK_EX | LOCK_NB) != 0)
    return usage_error(fmt::format(
        "another heddle works in {}: wait for it, or name another folder with --store", folder.string()));
  return FolderLock(std::move(file));
}

}  // namespace heddle::generate
