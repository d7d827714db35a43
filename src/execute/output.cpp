#include "execute/output.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>

#include <cerrno>
#include <cstring>

namespace heddle {
namespace {

// Fewer wake-ups for programs that print much; the largest an ordinary user may ask for.
constexpr int kPipeSize = 1 << 20;

// A process left behind by the program could print for ever: after this much the tool looks elsewhere.
constexpr size_t kMaxDrain = size_t{16} << 20;

void write_all(int fd, const char* data, size_t size) {
  while (size > 0) {
    const ssize_t written = ::write(fd, data, size);
    if (written >= 0) {
      data += written;
      size -= static_cast<size_t>(written);
    } else if (errno == EAGAIN) {
      pollfd wait{fd, POLLOUT, 0};
      ::poll(&wait, 1, -1);
    } else if (errno != EINTR) {
      return;  // nobody reads any more, as in `heddle run … | head`
    }
  }
}

}  // namespace

Expected<OutputPipe> OutputPipe::create(size_t limit) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0)
    return internal_error(fmt::format("cannot create a pipe: {}", std::strerror(errno)));
  OutputPipe pipe;
  pipe.read_end_ = UniqueFd(ends[0]);
  pipe.write_end_ = UniqueFd(ends[1]);
  pipe.limit_ = limit;
  // Only the tool's end: the program must see an ordinary, blocking pipe.
  ::fcntl(ends[0], F_SETFL, O_NONBLOCK);
  ::fcntl(ends[0], F_SETPIPE_SZ, kPipeSize);
  return pipe;
}

void OutputPipe::drain() {
  char buffer[65536];
  for (size_t total = 0; total < kMaxDrain;) {
    const ssize_t count = ::read(read_end_.get(), buffer, sizeof(buffer));
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return;
    const auto size = static_cast<size_t>(count);
    total += size;
    if (copy_fd_ >= 0) write_all(copy_fd_, buffer, size);
    const size_t keep = std::min(size, limit_ - kept_.size());
    kept_.append(buffer, keep);
    if (keep < size) discarded_ = true;
  }
}

std::pair<std::string, bool> OutputPipe::take() {
  return {std::exchange(kept_, {}), std::exchange(discarded_, false)};
}

}  // namespace heddle
