// read and write in all their forms.
#include <fcntl.h>
#include <limits.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>
#include <cerrno>

#include "runtime/access.h"
#include "runtime/io.h"
#include "runtime/io_blocks.h"
#include "runtime/sync.h"

namespace heddle::rt {

void note_blocks(const iovec* blocks, int count, size_t size, bool write, uintptr_t pc) {
  for (int i = 0; i < count && size != 0; ++i) {
    const size_t part = blocks[i].iov_len < size ? blocks[i].iov_len : size;
    if (part != 0) access_range(address_of(blocks[i].iov_base), part, write, pc);
    size -= part;
  }
}

namespace {

size_t total(const iovec* blocks, int count) {
  size_t size = 0;
  for (int i = 0; i < count; ++i) size += blocks[i].iov_len;
  return size;
}

// What is left of `blocks` after the first `done` bytes; returns how many blocks.
int rest_of(const iovec* blocks, int count, size_t done, iovec* rest) {
  int used = 0;
  for (int i = 0; i < count; ++i) {
    const size_t skip = blocks[i].iov_len < done ? blocks[i].iov_len : done;
    done -= skip;
    if (skip == blocks[i].iov_len) continue;
    rest[used++] = {static_cast<char*>(blocks[i].iov_base) + skip, blocks[i].iov_len - skip};
  }
  return used;
}

// For the one call after it, the description does not block. Nobody of this process can notice: all its
// threads are this one kernel thread.
class NonblockingScope {
 public:
  NonblockingScope(int fd, bool wanted) : fd_(fd), flags_(wanted ? sys_call(SYS_fcntl, fd, F_GETFL) : -1) {
    if (flags_ >= 0) sys_call(SYS_fcntl, fd_, F_SETFL, flags_ | O_NONBLOCK);
  }
  ~NonblockingScope() {
    if (flags_ >= 0) sys_call(SYS_fcntl, fd_, F_SETFL, flags_);
  }
  NonblockingScope(const NonblockingScope&) = delete;

 private:
  int fd_;
  long flags_;
};

long write_some(int fd, const iovec* blocks, int count, DescriptorKind kind, uintptr_t pc) {
  if (kind == DescriptorKind::kSocket) {
    msghdr message{};
    message.msg_iov = const_cast<iovec*>(blocks);
    message.msg_iovlen = static_cast<size_t>(count);
    return io_perform({.fd = fd, .events = POLLOUT, .pc = pc},
                      SystemCall(SYS_sendmsg, fd, &message, MSG_DONTWAIT));
  }
  // Room for a page is what a pipe promises when it is ready. More is written only as far as it fits.
  if (kind != DescriptorKind::kPipe || total(blocks, count) <= PIPE_BUF || is_nonblocking(fd)) {
    return io_perform({.fd = fd, .events = POLLOUT, .pc = pc}, SystemCall(SYS_writev, fd, blocks, count));
  }
  pollfd entry{fd, POLLOUT, 0};
  PollSet set{&entry, 1};
  const Op op = poll_op(&set, channel_address(descriptor_of(fd)), pc);
  if (input_point(op) == PointResult::kInterrupted) return -EINTR;
  long result;
  {
    NonblockingScope nonblocking(fd, true);
    result = sys_call(SYS_writev, fd, address_of(blocks), count);
  }
  io_record(descriptor_of(fd), pc, result);
  io_happened();
  return result;
}

// A blocking write ends when all is written, however often its thread has to wait.
long write_blocks(int fd, const iovec* blocks, int count, uintptr_t pc) {
  if (count < 0 || count > IOV_MAX) return -EINVAL;
  note_blocks(blocks, count, total(blocks, count), false, pc);
  const DescriptorKind kind = descriptor_of(fd)->kind;
  const size_t size = total(blocks, count);
  const bool stays = kind == DescriptorKind::kFile || kind == DescriptorKind::kEvent ||
                     kind == DescriptorKind::kDevice || kind == DescriptorKind::kNone || is_nonblocking(fd);
  if (stays || size == 0)
    return io_perform({.fd = fd, .events = POLLOUT, .pc = pc}, SystemCall(SYS_writev, fd, blocks, count));
  auto* rest = static_cast<iovec*>(__builtin_alloca(static_cast<size_t>(count) * sizeof(iovec)));
  size_t done = 0;
  while (done < size) {
    const int left = rest_of(blocks, count, done, rest);
    const long result = write_some(fd, rest, left, kind, pc);
    if (result == -EAGAIN && !is_nonblocking(fd) && kind == DescriptorKind::kPipe) continue;
    if (result < 0) return done != 0 ? static_cast<long>(done) : result;
    done += static_cast<size_t>(result);
  }
  return static_cast<long>(done);
}

long read_blocks(int fd, const iovec* blocks, int count, uintptr_t pc) {
  const long result =
      io_perform({.fd = fd, .events = POLLIN, .pc = pc}, SystemCall(SYS_readv, fd, blocks, count));
  if (result > 0) note_blocks(blocks, count, static_cast<size_t>(result), true, pc);
  return result;
}

// At a position: regular files, which never wait.
long positioned(const SystemCall& call, const iovec* blocks, int count, bool write, uintptr_t pc) {
  if (!write) note_blocks(blocks, count, total(blocks, count), false, pc);
  const long result = io_perform(
      {.fd = static_cast<int>(call.argument(0)), .events = 0, .pc = pc, .never_blocks = true}, call);
  if (write && result > 0) note_blocks(blocks, count, static_cast<size_t>(result), true, pc);
  return result;
}

// Moves data between two descriptors inside the kernel. Only the sides that are no files can block.
long transfer(int from, int to, const SystemCall& call, bool never_blocks, uintptr_t pc) {
  const auto waits = [&](int fd) {
    return !never_blocks && descriptor_of(fd)->kind != DescriptorKind::kFile && !is_nonblocking(fd);
  };
  const bool from_waits = waits(from);
  const bool to_waits = waits(to);
  for (;;) {
    const pollfd sides[] = {{from, POLLIN, from_waits}, {to, POLLOUT, to_waits}};
    for (const auto& [fd, events, waits_there] : sides) {
      if (waits_there == 0) continue;
      pollfd entry{fd, events, 0};
      PollSet set{&entry, 1};
      const Op op = poll_op(&set, channel_address(descriptor_of(fd)), pc);
      if (input_point(op) == PointResult::kInterrupted) return -EINTR;
      io_record(descriptor_of(fd), pc, 0);
    }
    if (!from_waits && !to_waits) io_simple_point(to, pc);
    long result;
    {
      NonblockingScope source(from, from_waits);
      NonblockingScope target(to, to_waits);
      result = call();
    }
    if (result == -EAGAIN && (from_waits || to_waits)) continue;
    io_happened();
    return result;
  }
}

}  // namespace
}  // namespace heddle::rt

using namespace heddle::rt;

namespace {
iovec block_of(const void* data, size_t size) {
  return {const_cast<void*>(data), size};
}
}  // namespace

HEDDLE_EXPORT ssize_t read(int fd, void* data, size_t size) {
  if (!controlled()) return io_result(sys_call(SYS_read, fd, address_of(data), static_cast<long>(size)));
  const iovec block = block_of(data, size);
  return io_result(read_blocks(fd, &block, 1, HEDDLE_PROGRAM_PC));
}
HEDDLE_EXPORT ssize_t __read(int fd, void* data, size_t size) __attribute__((alias("read")));
HEDDLE_EXPORT ssize_t __read_chk(int fd, void* data, size_t size, size_t room) {
  if (size > room) __builtin_trap();
  if (!controlled()) return io_result(sys_call(SYS_read, fd, address_of(data), static_cast<long>(size)));
  const iovec block = block_of(data, size);
  return io_result(read_blocks(fd, &block, 1, HEDDLE_PROGRAM_PC));
}

HEDDLE_EXPORT ssize_t readv(int fd, const iovec* blocks, int count) {
  if (!controlled()) return io_result(sys_call(SYS_readv, fd, address_of(blocks), count));
  return io_result(read_blocks(fd, blocks, count, HEDDLE_PROGRAM_PC));
}

HEDDLE_EXPORT ssize_t write(int fd, const void* data, size_t size) {
  if (!controlled()) return io_result(sys_call(SYS_write, fd, address_of(data), static_cast<long>(size)));
  const iovec block = block_of(data, size);
  return io_result(write_blocks(fd, &block, 1, HEDDLE_PROGRAM_PC));
}
HEDDLE_EXPORT ssize_t __write(int fd, const void* data, size_t size) __attribute__((alias("write")));

HEDDLE_EXPORT ssize_t writev(int fd, const iovec* blocks, int count) {
  if (!controlled()) return io_result(sys_call(SYS_writev, fd, address_of(blocks), count));
  return io_result(write_blocks(fd, blocks, count, HEDDLE_PROGRAM_PC));
}

HEDDLE_EXPORT ssize_t pread(int fd, void* data, size_t size, off_t offset) {
  const SystemCall call(SYS_pread64, fd, data, static_cast<long>(size), offset);
  if (!controlled()) return io_result(call());
  const iovec block = block_of(data, size);
  return io_result(positioned(call, &block, 1, true, HEDDLE_PROGRAM_PC));
}
HEDDLE_EXPORT ssize_t pread64(int fd, void* data, size_t size, off_t offset) __attribute__((alias("pread")));

HEDDLE_EXPORT ssize_t pwrite(int fd, const void* data, size_t size, off_t offset) {
  const SystemCall call(SYS_pwrite64, fd, data, static_cast<long>(size), offset);
  if (!controlled()) return io_result(call());
  const iovec block = block_of(data, size);
  return io_result(positioned(call, &block, 1, false, HEDDLE_PROGRAM_PC));
}
HEDDLE_EXPORT ssize_t pwrite64(int fd, const void* data, size_t size, off_t offset)
    __attribute__((alias("pwrite")));

HEDDLE_EXPORT ssize_t preadv(int fd, const iovec* blocks, int count, off_t offset) {
  const SystemCall call(SYS_preadv, fd, blocks, count, offset);
  if (!controlled()) return io_result(call());
  return io_result(positioned(call, blocks, count, true, HEDDLE_PROGRAM_PC));
}
HEDDLE_EXPORT ssize_t preadv64(int fd, const iovec* blocks, int count, off_t offset)
    __attribute__((alias("preadv")));

HEDDLE_EXPORT ssize_t pwritev(int fd, const iovec* blocks, int count, off_t offset) {
  const SystemCall call(SYS_pwritev, fd, blocks, count, offset);
  if (!controlled()) return io_result(call());
  return io_result(positioned(call, blocks, count, false, HEDDLE_PROGRAM_PC));
}
HEDDLE_EXPORT ssize_t pwritev64(int fd, const iovec* blocks, int count, off_t offset)
    __attribute__((alias("pwritev")));

HEDDLE_EXPORT ssize_t sendfile(int to, int from, off_t* offset, size_t size) {
  const SystemCall call(SYS_sendfile, to, from, offset, static_cast<long>(size));
  if (!controlled()) return io_result(call());
  return io_result(transfer(from, to, call, false, HEDDLE_PROGRAM_PC));
}
HEDDLE_EXPORT ssize_t sendfile64(int to, int from, off_t* offset, size_t size)
    __attribute__((alias("sendfile")));

HEDDLE_EXPORT ssize_t splice(int from, off_t* from_offset, int to, off_t* to_offset, size_t size,
                             unsigned flags) {
  const SystemCall call(SYS_splice, from, from_offset, to, to_offset, static_cast<long>(size),
                        static_cast<long>(flags));
  if (!controlled()) return io_result(call());
  return io_result(transfer(from, to, call, (flags & SPLICE_F_NONBLOCK) != 0, HEDDLE_PROGRAM_PC));
}
