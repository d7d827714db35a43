// Sockets: connecting, accepting, and messages.
#include <fcntl.h>
#include <limits.h>
#include <sys/socket.h>
#include <cerrno>

#include "runtime/access.h"
#include "runtime/io.h"
#include "runtime/io_blocks.h"
#include "runtime/sync.h"

namespace heddle::rt {
namespace {

long receive(int fd, const msghdr* message, const SystemCall& call, int flags, uintptr_t pc) {
  const bool waits = (flags & (MSG_DONTWAIT | MSG_ERRQUEUE)) == 0;
  const long result = io_perform({.fd = fd, .events = POLLIN, .pc = pc, .never_blocks = !waits}, call);
  if (result > 0) {
    note_blocks(message->msg_iov, static_cast<int>(message->msg_iovlen), static_cast<size_t>(result), true,
                pc);
  }
  return result;
}

// MSG_WAITALL on a stream: as much as was asked for, in as many steps as it takes.
long receive_all(int fd, void* data, size_t size, int flags, sockaddr* from, socklen_t* length,
                 uintptr_t pc) {
  size_t done = 0;
  while (done < size) {
    iovec block{static_cast<char*>(data) + done, size - done};
    msghdr message{};
    message.msg_iov = &block;
    message.msg_iovlen = 1;
    const SystemCall call(SYS_recvfrom, fd, block.iov_base, static_cast<long>(block.iov_len),
                          flags & ~MSG_WAITALL, from, length);
    const long result = receive(fd, &message, call, flags, pc);
    if (result < 0) return done != 0 ? static_cast<long>(done) : result;
    done += static_cast<size_t>(result);
    if (result == 0 || (flags & MSG_WAITALL) == 0 || (flags & (MSG_DONTWAIT | MSG_PEEK)) != 0) break;
  }
  return static_cast<long>(done);
}

// The first part carries address and control data; a stream takes the rest when there is room again.
long send_message(int fd, const msghdr* message, int flags, uintptr_t pc) {
  const auto count = static_cast<int>(message->msg_iovlen);
  if (count < 0 || count > IOV_MAX) return -EMSGSIZE;
  size_t size = 0;
  for (int i = 0; i < count; ++i) size += message->msg_iov[i].iov_len;
  note_blocks(message->msg_iov, count, size, false, pc);
  if (message->msg_controllen != 0) note_child_process();  // descriptors may go to another process
  const bool waits = (flags & MSG_DONTWAIT) == 0 && !is_nonblocking(fd);
  auto* rest = static_cast<iovec*>(__builtin_alloca(static_cast<size_t>(count + 1) * sizeof(iovec)));
  msghdr part = *message;
  part.msg_iov = rest;
  size_t done = 0;
  do {
    size_t skip = done;
    part.msg_iovlen = 0;
    for (int i = 0; i < count; ++i) {
      const iovec& block = message->msg_iov[i];
      const size_t over = block.iov_len < skip ? block.iov_len : skip;
      skip -= over;
      if (over < block.iov_len || block.iov_len == 0)
        rest[part.msg_iovlen++] = {static_cast<char*>(block.iov_base) + over, block.iov_len - over};
    }
    const SystemCall call(SYS_sendmsg, fd, &part, flags | (waits ? MSG_DONTWAIT : 0));
    const long result = io_perform({.fd = fd, .events = POLLOUT, .pc = pc, .never_blocks = !waits}, call);
    if (result < 0) return done != 0 ? static_cast<long>(done) : result;
    done += static_cast<size_t>(result);
    part.msg_control = nullptr;
    part.msg_controllen = 0;
  } while (waits && done < size);
  return static_cast<long>(done);
}

long accept_connection(const SystemCall& call, uintptr_t pc) {
  const auto fd = static_cast<int>(call.argument(0));
  const long result = io_perform({.fd = fd, .events = POLLIN, .pc = pc}, call);
  if (result >= 0) note_closed(static_cast<int>(result));
  return result;
}

// A connection that takes time is started without blocking and waited for.
long connect_socket(int fd, const sockaddr* address, socklen_t length, uintptr_t pc) {
  const SystemCall call(SYS_connect, fd, address, static_cast<long>(length));
  io_simple_point(fd, pc);
  const long flags = sys_call(SYS_fcntl, fd, F_GETFL);
  if (flags < 0 || (flags & O_NONBLOCK) != 0) {
    const long result = call();
    io_happened();
    return result;
  }
  for (;;) {
    sys_call(SYS_fcntl, fd, F_SETFL, flags | O_NONBLOCK);
    long result = call();
    sys_call(SYS_fcntl, fd, F_SETFL, flags);
    if (result != -EAGAIN) io_happened();
    if (result != -EINPROGRESS && result != -EAGAIN) return result;
    // A Unix socket whose listener's queue is full cannot be polled: it has to try again.
    const uintptr_t object = channel_address(descriptor_of(fd));
    pollfd entry{fd, POLLOUT, 0};
    PollSet set{&entry, 1};
    const Op op = result == -EAGAIN ? retry_op(object, pc) : poll_op(&set, object, pc);
    if (input_point(op) == PointResult::kInterrupted) return -EINTR;
    io_record(descriptor_of(fd), pc, 0);
    if (result == -EAGAIN) continue;
    int error = 0;
    socklen_t size = sizeof error;
    result = sys_call(SYS_getsockopt, fd, SOL_SOCKET, SO_ERROR, address_of(&error), address_of(&size));
    return result < 0 ? result : -error;
  }
}

}  // namespace
}  // namespace heddle::rt

using namespace heddle::rt;

HEDDLE_EXPORT ssize_t recvfrom(int fd, void* data, size_t size, int flags, sockaddr* from,
                               socklen_t* length) {
  if (!controlled()) {
    return io_result(sys_call(SYS_recvfrom, fd, address_of(data), static_cast<long>(size), flags,
                              address_of(from), address_of(length)));
  }
  if (size == 0) {
    iovec block{data, 0};
    msghdr message{};
    message.msg_iov = &block;
    message.msg_iovlen = 1;
    const SystemCall call(SYS_recvfrom, fd, data, 0, flags, from, length);
    return io_result(receive(fd, &message, call, flags, HEDDLE_PROGRAM_PC));
  }
  return io_result(receive_all(fd, data, size, flags, from, length, HEDDLE_PROGRAM_PC));
}
HEDDLE_EXPORT ssize_t __recvfrom_chk(int fd, void* data, size_t size, size_t room, int flags, sockaddr* from,
                                     socklen_t* length) {
  if (size > room) __builtin_trap();
  if (!controlled()) {
    return io_result(sys_call(SYS_recvfrom, fd, address_of(data), static_cast<long>(size), flags,
                              address_of(from), address_of(length)));
  }
  return io_result(receive_all(fd, data, size, flags, from, length, HEDDLE_PROGRAM_PC));
}

HEDDLE_EXPORT ssize_t recv(int fd, void* data, size_t size, int flags) {
  if (!controlled())
    return io_result(sys_call(SYS_recvfrom, fd, address_of(data), static_cast<long>(size), flags));
  if (size == 0) return recvfrom(fd, data, 0, flags, nullptr, nullptr);
  return io_result(receive_all(fd, data, size, flags, nullptr, nullptr, HEDDLE_PROGRAM_PC));
}
HEDDLE_EXPORT ssize_t __recv_chk(int fd, void* data, size_t size, size_t room, int flags) {
  if (size > room) __builtin_trap();
  if (!controlled())
    return io_result(sys_call(SYS_recvfrom, fd, address_of(data), static_cast<long>(size), flags));
  return io_result(receive_all(fd, data, size, flags, nullptr, nullptr, HEDDLE_PROGRAM_PC));
}

HEDDLE_EXPORT ssize_t recvmsg(int fd, msghdr* message, int flags) {
  const SystemCall call(SYS_recvmsg, fd, message, flags);
  if (!controlled()) return io_result(call());
  return io_result(receive(fd, message, call, flags, HEDDLE_PROGRAM_PC));
}

// Several messages: waits for the first one, then takes what is there.
HEDDLE_EXPORT int recvmmsg(int fd, mmsghdr* messages, unsigned count, int flags, timespec* timeout) {
  if (!controlled()) {
    return static_cast<int>(io_result(sys_call(SYS_recvmmsg, fd, address_of(messages),
                                               static_cast<long>(count), flags, address_of(timeout))));
  }
  const bool waits = (flags & MSG_DONTWAIT) == 0;
  const SystemCall call(SYS_recvmmsg, fd, messages, static_cast<long>(count), flags | MSG_DONTWAIT);
  const IoCall io{.fd = fd, .events = POLLIN, .pc = HEDDLE_PROGRAM_PC, .never_blocks = !waits};
  return static_cast<int>(io_result(io_perform(io, call)));
}

HEDDLE_EXPORT ssize_t sendmsg(int fd, const msghdr* message, int flags) {
  if (!controlled()) return io_result(sys_call(SYS_sendmsg, fd, address_of(message), flags));
  return io_result(send_message(fd, message, flags, HEDDLE_PROGRAM_PC));
}

HEDDLE_EXPORT int sendmmsg(int fd, mmsghdr* messages, unsigned count, int flags) {
  if (!controlled())
    return static_cast<int>(
        io_result(sys_call(SYS_sendmmsg, fd, address_of(messages), static_cast<long>(count), flags)));
  const uintptr_t pc = HEDDLE_PROGRAM_PC;
  unsigned sent = 0;
  for (; sent < count; ++sent) {
    const long result = send_message(fd, &messages[sent].msg_hdr, flags, pc);
    if (result < 0) return sent != 0 ? static_cast<int>(sent) : static_cast<int>(io_result(result));
    messages[sent].msg_len = static_cast<unsigned>(result);
  }
  return static_cast<int>(sent);
}

HEDDLE_EXPORT ssize_t sendto(int fd, const void* data, size_t size, int flags, const sockaddr* to,
                             socklen_t length) {
  if (!controlled()) {
    return io_result(sys_call(SYS_sendto, fd, address_of(data), static_cast<long>(size), flags,
                              address_of(to), static_cast<long>(length)));
  }
  iovec block{const_cast<void*>(data), size};
  msghdr message{};
  message.msg_name = const_cast<sockaddr*>(to);
  message.msg_namelen = length;
  message.msg_iov = &block;
  message.msg_iovlen = 1;
  return io_result(send_message(fd, &message, flags, HEDDLE_PROGRAM_PC));
}

HEDDLE_EXPORT ssize_t send(int fd, const void* data, size_t size, int flags) {
  if (!controlled())
    return io_result(sys_call(SYS_sendto, fd, address_of(data), static_cast<long>(size), flags));
  iovec block{const_cast<void*>(data), size};
  msghdr message{};
  message.msg_iov = &block;
  message.msg_iovlen = 1;
  return io_result(send_message(fd, &message, flags, HEDDLE_PROGRAM_PC));
}
HEDDLE_EXPORT ssize_t __send(int fd, const void* data, size_t size, int flags) __attribute__((alias("send")));

HEDDLE_EXPORT int accept4(int fd, sockaddr* address, socklen_t* length, int flags) {
  const SystemCall call(SYS_accept4, fd, address, length, flags);
  if (!controlled()) return static_cast<int>(io_result(call()));
  return static_cast<int>(io_result(accept_connection(call, HEDDLE_PROGRAM_PC)));
}
HEDDLE_EXPORT int accept(int fd, sockaddr* address, socklen_t* length) {
  const SystemCall call(SYS_accept, fd, address, length);
  if (!controlled()) return static_cast<int>(io_result(call()));
  return static_cast<int>(io_result(accept_connection(call, HEDDLE_PROGRAM_PC)));
}

HEDDLE_EXPORT int connect(int fd, const sockaddr* address, socklen_t length) {
  if (!controlled())
    return static_cast<int>(
        io_result(sys_call(SYS_connect, fd, address_of(address), static_cast<long>(length))));
  return static_cast<int>(io_result(connect_socket(fd, address, length, HEDDLE_PROGRAM_PC)));
}
HEDDLE_EXPORT int __connect(int fd, const sockaddr* address, socklen_t length)
    __attribute__((alias("connect")));

HEDDLE_EXPORT int shutdown(int fd, int how) {
  if (controlled()) io_simple_point(fd, HEDDLE_PROGRAM_PC);
  const long result = sys_call(SYS_shutdown, fd, how);
  if (controlled()) io_happened();
  return static_cast<int>(io_result(result));
}

HEDDLE_EXPORT int listen(int fd, int backlog) {
  if (controlled()) io_simple_point(fd, HEDDLE_PROGRAM_PC);
  const long result = sys_call(SYS_listen, fd, backlog);
  if (controlled()) io_happened();
  return static_cast<int>(io_result(result));
}
