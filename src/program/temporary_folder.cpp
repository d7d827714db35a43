#include "program/temporary_folder.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <string>

#include <fmt/format.h>

namespace heddle::program {
namespace {

constexpr const char* kPrefix = "heddle-units-";
// Between making a folder and locking it, it looks as if its process were gone.
constexpr std::chrono::minutes kUnlocked{1};

int open_folder(const std::filesystem::path& path) {
  return open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
}

void remove_abandoned(const std::filesystem::path& parent) {
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(parent, error)) {
    if (!entry.path().filename().string().starts_with(kPrefix)) continue;
    const auto changed = entry.last_write_time(error);
    if (error || std::filesystem::file_time_type::clock::now() - changed < kUnlocked) continue;
    const int folder = open_folder(entry.path());
    if (folder < 0) continue;
    if (flock(folder, LOCK_EX | LOCK_NB) == 0) std::filesystem::remove_all(entry.path(), error);
    close(folder);
  }
}

}  // namespace

Expected<TemporaryFolder> TemporaryFolder::make(const std::filesystem::path& parent) {
  std::error_code error;
  std::filesystem::path where = parent;
  if (!where.empty()) std::filesystem::create_directories(where, error);
  if (where.empty() || error || access(where.c_str(), W_OK) != 0)
    where = std::filesystem::temp_directory_path(error);
  remove_abandoned(where);
  std::string name = (where / (std::string(kPrefix) + "XXXXXX")).string();
  if (mkdtemp(name.data()) == nullptr)
    return usage_error(fmt::format("cannot make a folder for compiled units in {}", where.string()));
  const int folder = open_folder(name);
  if (folder >= 0) flock(folder, LOCK_EX | LOCK_NB);
  return TemporaryFolder(name, folder);
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code error;
  if (!path_.empty()) std::filesystem::remove_all(path_, error);
  if (lock_ >= 0) close(lock_);
}

}  // namespace heddle::program
