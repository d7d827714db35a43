#include "interact/versions/kept_folder.h"

#include <fcntl.h>
#include <sys/file.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "support/interruption.h"

namespace heddle::interact {
namespace {

namespace fs = std::filesystem;

// The open file, locked; null if somebody else has it and it is not waited for.
Expected<std::unique_ptr<SlotLock>> locked_file(const fs::path& file, int how) {
  const int fd = ::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (fd < 0) return usage_error(fmt::format("cannot write {}: {}", file.string(), std::strerror(errno)));
  auto lock = std::make_unique<SlotLock>(fd);
  while (::flock(fd, how) != 0) {
    if (was_interrupted()) return usage_error("interrupted");
    if (errno == EWOULDBLOCK) return std::unique_ptr<SlotLock>();
    if (errno != EINTR)
      return usage_error(fmt::format("cannot lock {}: {}", file.string(), std::strerror(errno)));
  }
  return lock;
}

fs::path lock_of(const fs::path& folder) {
  return folder.string() + ".lock";
}

// With the lock of all of them held: nobody begins to use one meanwhile.
void remove_surplus(const fs::path& all) {
  std::error_code failed;
  std::vector<std::pair<fs::file_time_type, fs::path>> folders;
  for (const auto& entry : fs::directory_iterator(all, failed)) {
    if (!entry.is_directory(failed)) continue;
    std::error_code missing;
    const fs::file_time_type used = fs::last_write_time(lock_of(entry.path()), missing);
    folders.emplace_back(missing ? fs::file_time_type::min() : used, entry.path());
  }
  std::sort(folders.begin(), folders.end());
  for (size_t i = 0; i + KeptFolder::kKept < folders.size(); ++i) {
    const fs::path& folder = folders[i].second;
    const Expected<std::unique_ptr<SlotLock>> lock = locked_file(lock_of(folder), LOCK_EX | LOCK_NB);
    if (!lock || *lock == nullptr) continue;
    fs::remove_all(folder, failed);
    fs::remove(lock_of(folder), failed);
  }
}

}  // namespace

Expected<std::shared_ptr<const KeptFolder>> KeptFolder::use(const fs::path& all, const std::string& name) {
  const fs::path path = all / name;
  std::error_code failed;
  fs::create_directories(all, failed);
  const Expected<std::unique_ptr<SlotLock>> lock_of_all = locked_file(all / "lock", LOCK_EX);
  if (!lock_of_all) return tl::unexpected(lock_of_all.error());
  Expected<std::unique_ptr<SlotLock>> lock = locked_file(lock_of(path), LOCK_SH);
  if (!lock) return tl::unexpected(lock.error());
  fs::create_directories(path, failed);
  if (failed)
    return usage_error(fmt::format("cannot make the folder {}: {}", path.string(), failed.message()));
  fs::last_write_time(lock_of(path), fs::file_time_type::clock::now(), failed);
  remove_surplus(all);
  return std::shared_ptr<const KeptFolder>(new KeptFolder(path, std::move(*lock)));
}

Expected<fs::path> KeptFolder::part(const std::string& name,
                                    const std::function<Expected<void>(const fs::path& folder)>& make) const {
  const fs::path finished = path_ / name;
  std::error_code failed;
  if (fs::exists(finished, failed)) return finished;
  const Expected<std::unique_ptr<SlotLock>> lock = locked_file(lock_of(finished), LOCK_EX);
  if (!lock) return tl::unexpected(lock.error());
  if (fs::exists(finished, failed)) return finished;
  const fs::path next = finished.string() + ".next";
  fs::remove_all(next, failed);
  fs::create_directories(next, failed);
  if (const Expected<void> made = make(next); !made) {
    fs::remove_all(next, failed);
    return tl::unexpected(made.error());
  }
  fs::rename(next, finished, failed);
  if (failed) return usage_error(fmt::format("cannot finish {}: {}", finished.string(), failed.message()));
  return finished;
}

}  // namespace heddle::interact
