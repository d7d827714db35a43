#include "trace/input_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include <fmt/format.h>

namespace heddle::trace {
namespace {

ssize_t read_some(int fd, char* buffer, size_t size) {
  ssize_t count = 0;
  do {
    count = read(fd, buffer, size);
  } while (count < 0 && errno == EINTR);
  return count;
}

}  // namespace

InputFile::InputFile(std::string title) : title_(std::move(title)) {}

InputFile::InputFile(InputFile&& other) noexcept
    : title_(std::move(other.title_)),
      fd_(std::exchange(other.fd_, -1)),
      borrowed_(other.borrowed_),
      regular_(other.regular_),
      start_(other.start_),
      size_(other.size_),
      begin_(std::move(other.begin_)),
      begin_given_(other.begin_given_) {}

InputFile::~InputFile() {
  if (fd_ >= 0 && !borrowed_) {
    close(fd_);
  }
}

Expected<InputFile> InputFile::open(const std::string& path) {
  InputFile file(path);
  file.fd_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  return inspect(std::move(file));
}

Expected<InputFile> InputFile::open_or_stdin(const std::string& path) {
  if (path != "-") {
    return open(path);
  }
  InputFile file("standard input");
  file.fd_ = STDIN_FILENO;
  file.borrowed_ = true;
  return inspect(std::move(file));
}

Expected<InputFile> InputFile::inspect(InputFile file) {
  struct stat status = {};
  if (file.fd_ < 0 || fstat(file.fd_, &status) != 0) {
    return file.failure(errno);
  }
  if (S_ISDIR(status.st_mode)) {
    return file.failure(EISDIR);
  }
  file.regular_ = S_ISREG(status.st_mode);
  if (file.regular_) {
    // Whoever shares the standard input may have read a part of it.
    const off_t start = std::max<off_t>(0, lseek(file.fd_, 0, SEEK_CUR));
    file.start_ = static_cast<uint64_t>(start);
    file.size_ = static_cast<uint64_t>(std::max<off_t>(0, status.st_size - start));
  }
  return file;
}

Expected<std::string_view> InputFile::begin(size_t size) {
  while (begin_.size() < size) {
    char chunk[64];
    const ssize_t count = read_some(fd_, chunk, std::min(sizeof(chunk), size - begin_.size()));
    if (count < 0) {
      return failure(errno);
    }
    if (count == 0) {
      break;
    }
    begin_.append(chunk, static_cast<size_t>(count));
  }
  return std::string_view(begin_);
}

Expected<size_t> InputFile::read(std::span<char> buffer) {
  if (begin_given_ < begin_.size()) {
    const size_t count = begin_.copy(buffer.data(), buffer.size(), begin_given_);
    begin_given_ += count;
    return count;
  }
  const ssize_t count = read_some(fd_, buffer.data(), buffer.size());
  if (count < 0) {
    return failure(errno);
  }
  return static_cast<size_t>(count);
}

Expected<void> InputFile::read_at(uint64_t position, std::span<std::byte> buffer) const {
  while (!buffer.empty()) {
    const ssize_t count = pread(fd_, buffer.data(), buffer.size(), static_cast<off_t>(start_ + position));
    if (count < 0 && errno == EINTR) {
      continue;
    }
    if (count < 0) {
      return failure(errno);
    }
    if (count == 0) {
      return usage_error(fmt::format("{} changed while it was read: it ends at byte {} instead of {}", title_,
                                     position, size_));
    }
    position += static_cast<uint64_t>(count);
    buffer = buffer.subspan(static_cast<size_t>(count));
  }
  return {};
}

Expected<std::string> InputFile::read_all(uint64_t limit) {
  std::string content;
  char chunk[1 << 16];
  while (true) {
    const auto count = read(chunk);
    if (!count) {
      return tl::unexpected(count.error());
    }
    if (*count == 0) {
      return content;
    }
    content.append(chunk, *count);
    if (content.size() > limit) {
      return usage_error(fmt::format("cannot read {}: it has more than {} bytes", title_, limit));
    }
  }
}

tl::unexpected<Error> InputFile::failure(int error) const {
  return usage_error(fmt::format("cannot read {}: {}", title_, std::strerror(error)));
}

}  // namespace heddle::trace
