#include "execute/input.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstring>

namespace heddle {

Expected<Input> Input::from_file(const std::string& path) {
  // Without waiting for somebody to write if it is a pipe.
  UniqueFd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!fd) return usage_error(fmt::format("cannot read input file {}: {}", path, std::strerror(errno)));
  struct stat status{};
  if (::fstat(fd.get(), &status) != 0 || !S_ISREG(status.st_mode)) {
    return usage_error(fmt::format("input file {} is not a regular file, so it cannot be read again", path));
  }
  return Input(std::move(fd), 0);
}

Expected<Input> Input::spool(int fd) {
  UniqueFd copy(::memfd_create("heddle-input", MFD_CLOEXEC));
  if (!copy) return internal_error(fmt::format("cannot create shared memory: {}", std::strerror(errno)));
  char buffer[65536];
  for (;;) {
    const ssize_t count = ::read(fd, buffer, sizeof(buffer));
    if (count == 0) break;
    if (count < 0) {
      if (errno == EINTR) continue;
      return usage_error(fmt::format("cannot read the standard input: {}", std::strerror(errno)));
    }
    for (ssize_t done = 0; done < count;) {
      const ssize_t written = ::write(copy.get(), buffer + done, static_cast<size_t>(count - done));
      if (written < 0)
        return internal_error(fmt::format("cannot keep the standard input: {}", std::strerror(errno)));
      done += written;
    }
  }
  return Input(std::move(copy), 0);
}

Input Input::inherited() {
  struct stat status{};
  if (::fstat(STDIN_FILENO, &status) != 0 || !S_ISREG(status.st_mode)) return {};
  const off_t start = ::lseek(STDIN_FILENO, 0, SEEK_CUR);
  return Input(UniqueFd(::fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3)), start < 0 ? 0 : start);
}

Expected<UniqueFd> Input::open() const {
  const std::string path = fd_ ? fmt::format("/proc/self/fd/{}", fd_->get()) : "/dev/null";
  UniqueFd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!fd) return internal_error(fmt::format("cannot open the test's input again: {}", std::strerror(errno)));
  if (start_ > 0) ::lseek(fd.get(), start_, SEEK_SET);
  return fd;
}

}  // namespace heddle
