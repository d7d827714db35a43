#include "trace/atomic_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>

#include <fmt/format.h>

namespace heddle::trace {
namespace {

// A name in the same folder, so that the rename stays within one file system. The process id and a counter
// keep concurrent writers of one path apart.
std::string temporary_name(const std::string& target) {
  static std::atomic<unsigned> counter = 0;
  return fmt::format("{}.{}-{}.tmp", target, getpid(), counter.fetch_add(1));
}

}  // namespace

Expected<AtomicFile> AtomicFile::create(const std::string& path) {
  if (path == "-") {
    AtomicFile output("the standard output");
    output.fd_ = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    if (output.fd_ < 0) {
      return output.failure(errno);
    }
    return output;
  }
  AtomicFile file(path);
  std::error_code ignored;
  if (std::filesystem::is_symlink(path, ignored)) {
    const std::filesystem::path target = std::filesystem::canonical(path, ignored);
    file.target_ = target.empty() ? path : target.string();
  }
  struct stat status = {};
  const bool exists = stat(path.c_str(), &status) == 0;
  if (exists && S_ISDIR(status.st_mode)) {
    return file.failure(EISDIR);
  }
  if (exists && !S_ISREG(status.st_mode)) {
    file.fd_ = open(path.c_str(), O_WRONLY | O_CLOEXEC);
  } else {
    file.temporary_ = temporary_name(file.target_);
    file.fd_ = open(file.temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  }
  if (file.fd_ < 0) {
    const int error = errno;
    file.temporary_.clear();
    return file.failure(error);
  }
  return file;
}

AtomicFile::AtomicFile(std::string path) : path_(path), target_(std::move(path)) {}

AtomicFile::AtomicFile(AtomicFile&& other) noexcept
    : path_(std::move(other.path_)),
      target_(std::move(other.target_)),
      temporary_(std::exchange(other.temporary_, {})),
      fd_(std::exchange(other.fd_, -1)) {}

AtomicFile::~AtomicFile() {
  if (fd_ >= 0) {
    close(fd_);
  }
  if (!temporary_.empty()) {
    unlink(temporary_.c_str());
  }
}

Expected<void> AtomicFile::write(std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(fd_, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) {
      continue;
    }
    if (written < 0) {
      return failure(errno);
    }
    bytes = bytes.subspan(static_cast<size_t>(written));
  }
  return {};
}

Expected<void> AtomicFile::commit() {
  // Some file systems report a full disk only now.
  if (close(std::exchange(fd_, -1)) != 0) {
    return failure(errno);
  }
  if (temporary_.empty()) {
    return {};
  }
  if (rename(temporary_.c_str(), target_.c_str()) != 0) {
    return failure(errno);
  }
  temporary_.clear();
  return {};
}

tl::unexpected<Error> AtomicFile::failure(int error) const {
  return usage_error(fmt::format("cannot write {}: {}", path_, std::strerror(error)));
}

}  // namespace heddle::trace
