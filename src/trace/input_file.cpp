#include "trace/input_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include <fmt/format.h>

namespace heddle::trace {

InputFile::InputFile(std::string path) : path_(std::move(path)) {}

InputFile::InputFile(InputFile&& other) noexcept
    : path_(std::move(other.path_)),
      fd_(std::exchange(other.fd_, -1)),
      regular_(other.regular_),
      size_(other.size_) {}

InputFile::~InputFile() {
  if (fd_ >= 0) {
    close(fd_);
  }
}

Expected<InputFile> InputFile::open(const std::string& path) {
  InputFile file(path);
  file.fd_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  struct stat status = {};
  if (file.fd_ < 0 || fstat(file.fd_, &status) != 0) {
    return file.failure(errno);
  }
  if (S_ISDIR(status.st_mode)) {
    return file.failure(EISDIR);
  }
  file.regular_ = S_ISREG(status.st_mode);
  file.size_ = static_cast<uint64_t>(status.st_size);
  return file;
}

Expected<std::string> InputFile::read_all(uint64_t limit) const {
  std::string content;
  char chunk[1 << 16];
  while (true) {
    const ssize_t count = read(fd_, chunk, sizeof(chunk));
    if (count < 0 && errno == EINTR) {
      continue;
    }
    if (count < 0) {
      return failure(errno);
    }
    if (count == 0) {
      return content;
    }
    content.append(chunk, static_cast<size_t>(count));
    if (content.size() > limit) {
      return usage_error(fmt::format("cannot read {}: it has more than {} bytes", path_, limit));
    }
  }
}

tl::unexpected<Error> InputFile::failure(int error) const {
  return usage_error(fmt::format("cannot read {}: {}", path_, std::strerror(error)));
}

}  // namespace heddle::trace
