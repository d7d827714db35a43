// Making, copying and closing descriptors, and locks on files.
#include <fcntl.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cerrno>
#include <cstdarg>

#include "runtime/address_space.h"
#include "runtime/io.h"
#include "runtime/sync.h"

namespace heddle::rt {
namespace {

// FIFOs that a thread is opening for reading, and waits for a writer.
inline constexpr size_t kMaxFifoReaders = 64;
struct FifoReader {
  uint64_t device;
  uint64_t inode;
  bool met;  // a thread of this process has opened it for writing
  bool used;
  uint32_t execution;  // in which it is; a thread may be dropped where it stands (world.h)
  bool is_current() const { return used && execution == rt.execution; }
};
HEDDLE_WORLD LazyArray<FifoReader, kMaxFifoReaders> fifo_readers;
inline constexpr size_t kOpenFlags = 2;  // which argument of openat they are

void note_fifo_writer(int fd) {
  const Descriptor* descriptor = descriptor_of(fd);
  for (FifoReader& reader : fifo_readers) {
    if (reader.is_current() && reader.device == descriptor->device && reader.inode == descriptor->inode)
      reader.met = true;
  }
}

FifoReader* begin_fifo_read(int fd) {
  const Descriptor* descriptor = descriptor_of(fd);
  fifo_readers.make();
  for (FifoReader& reader : fifo_readers) {
    if (reader.is_current()) continue;
    reader = {descriptor->device, descriptor->inode, false, true, rt.execution};
    return &reader;
  }
  return nullptr;
}

// A FIFO's reader and writer wait for each other. The reader opens it without blocking and so lets writers
// in; a writer of another process shows by its first data.
long open_fifo_to_read(const SystemCall& call, uintptr_t pc) {
  const SystemCall open_call = call.with_argument(kOpenFlags, call.argument(kOpenFlags) | O_NONBLOCK);
  const long result = open_call();
  if (result < 0) return result;
  const auto fd = static_cast<int>(result);
  note_closed(fd);
  FifoReader* reader = begin_fifo_read(fd);
  io_happened();
  pollfd entry{fd, POLLIN, 0};
  PointResult reached = PointResult::kGo;
  while (reader != nullptr && !reader->met && reached != PointResult::kInterrupted &&
         sys_call(SYS_poll, address_of(&entry), 1, 0) == 0) {
    reached = input_point(retry_op(channel_address(descriptor_of(fd)), pc));
    if (reached != PointResult::kInterrupted) io_record(descriptor_of(fd), pc, 0);
  }
  if (reader != nullptr) reader->used = false;
  if (reached == PointResult::kInterrupted) {
    sys_call(SYS_close, fd);
    return -EINTR;
  }
  sys_call(SYS_fcntl, fd, F_SETFL, call.argument(kOpenFlags) & ~(O_CREAT | O_EXCL | O_NOCTTY | O_TRUNC));
  return fd;
}

long open_fifo_to_write(const SystemCall& call, uintptr_t pc) {
  const SystemCall open_call = call.with_argument(kOpenFlags, call.argument(kOpenFlags) | O_NONBLOCK);
  for (;;) {
    const long result = open_call();
    if (result >= 0) {
      const auto fd = static_cast<int>(result);
      note_closed(fd);
      note_fifo_writer(fd);
      sys_call(SYS_fcntl, fd, F_SETFL, call.argument(kOpenFlags) & ~(O_CREAT | O_EXCL | O_NOCTTY | O_TRUNC));
      io_happened();
      return fd;
    }
    if (result != -ENXIO) return result;
    if (input_point(retry_op(0, pc)) == PointResult::kInterrupted) return -EINTR;
    record_sync(trace::EventKind::kAccess, 0, pc, trace::event_flag::kPoint);
  }
}

long open_file(int folder, const char* path, int flags, mode_t mode, uintptr_t pc) {
  const SystemCall call(SYS_openat, folder, path, flags, static_cast<long>(mode));
  if (controlled() && (flags & (O_NONBLOCK | O_PATH)) == 0) {
    struct stat info{};
    const bool is_fifo = sys_call(SYS_newfstatat, folder, address_of(path), address_of(&info), 0) == 0 &&
                         S_ISFIFO(info.st_mode);
    if (is_fifo && (flags & O_ACCMODE) == O_RDONLY) return open_fifo_to_read(call, pc);
    if (is_fifo && (flags & O_ACCMODE) == O_WRONLY) return open_fifo_to_write(call, pc);
  }
  const long result = call();
  if (result >= 0) note_closed(static_cast<int>(result));
  return result;
}

// A record lock: the kernel says who would be in the way.
struct RecordLock {
  int fd;
  int question;  // F_GETLK or F_OFD_GETLK
  struct flock* lock;
};

bool nothing_in_the_way(const Op& op) {
  const auto* wait = reinterpret_cast<const RecordLock*>(op.argument);
  struct flock found = *wait->lock;
  if (sys_call(SYS_fcntl, wait->fd, wait->question, address_of(&found)) < 0) return true;
  return found.l_type == F_UNLCK;
}

long lock_record(int fd, int command, struct flock* lock, uintptr_t pc) {
  const bool open_file = command == F_OFD_SETLKW;
  RecordLock wait{fd, open_file ? F_OFD_GETLK : F_GETLK, lock};
  const int attempt = open_file ? F_OFD_SETLK : F_SETLK;
  io_simple_point(fd, pc);
  for (;;) {
    const long result = sys_call(SYS_fcntl, fd, attempt, address_of(lock));
    if (result != -EAGAIN && result != -EACCES) {
      io_happened();
      return result;
    }
    Op op = retry_op(channel_address(descriptor_of(fd)), pc);
    op.enabled = nothing_in_the_way;
    op.argument = address_of(&wait);
    if (input_point(op) == PointResult::kInterrupted) return -EINTR;
    io_record(descriptor_of(fd), pc, 0);
  }
}

long lock_file(int fd, int operation, uintptr_t pc) {
  io_simple_point(fd, pc);
  for (;;) {
    const long result = sys_call(SYS_flock, fd, operation | LOCK_NB);
    if (result != -EAGAIN || (operation & LOCK_NB) != 0) {
      io_happened();
      return result;
    }
    if (input_point(retry_op(channel_address(descriptor_of(fd)), pc)) == PointResult::kInterrupted)
      return -EINTR;
    io_record(descriptor_of(fd), pc, 0);
  }
}

}  // namespace
}  // namespace heddle::rt

using namespace heddle::rt;

namespace {
int as_int(long result) {
  return static_cast<int>(io_result(result));
}
mode_t mode_from(int flags, va_list list) {
  return (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(list, mode_t) : 0;
}
}  // namespace

HEDDLE_EXPORT int open(const char* path, int flags, ...) {
  va_list list;
  va_start(list, flags);
  const mode_t mode = mode_from(flags, list);
  va_end(list);
  return as_int(open_file(AT_FDCWD, path, flags, mode, HEDDLE_PROGRAM_PC));
}
HEDDLE_EXPORT int open64(const char* path, int flags, ...) __attribute__((alias("open")));
HEDDLE_EXPORT int __open_2(const char* path, int flags) {
  return as_int(open_file(AT_FDCWD, path, flags, 0, HEDDLE_PROGRAM_PC));
}
HEDDLE_EXPORT int __open64_2(const char* path, int flags) __attribute__((alias("__open_2")));

HEDDLE_EXPORT int openat(int folder, const char* path, int flags, ...) {
  va_list list;
  va_start(list, flags);
  const mode_t mode = mode_from(flags, list);
  va_end(list);
  return as_int(open_file(folder, path, flags, mode, HEDDLE_PROGRAM_PC));
}
HEDDLE_EXPORT int openat64(int folder, const char* path, int flags, ...) __attribute__((alias("openat")));
HEDDLE_EXPORT int __openat_2(int folder, const char* path, int flags) {
  return as_int(open_file(folder, path, flags, 0, HEDDLE_PROGRAM_PC));
}
HEDDLE_EXPORT int __openat64_2(int folder, const char* path, int flags) __attribute__((alias("__openat_2")));

HEDDLE_EXPORT int close(int fd) {
  if (!controlled()) return as_int(sys_call(SYS_close, fd));
  io_simple_point(fd, HEDDLE_PROGRAM_PC);
  const long result = sys_call(SYS_close, fd);
  note_closed(fd);
  io_happened();
  return as_int(result);
}
HEDDLE_EXPORT int __close(int fd) __attribute__((alias("close")));

HEDDLE_EXPORT int dup(int fd) {
  const long result = sys_call(SYS_dup, fd);
  if (controlled() && result >= 0) note_duplicate(fd, static_cast<int>(result));
  return as_int(result);
}

HEDDLE_EXPORT int dup3(int fd, int copy, int flags) {
  if (controlled()) io_simple_point(copy, HEDDLE_PROGRAM_PC);
  const long result = sys_call(SYS_dup3, fd, copy, flags);
  if (controlled() && result >= 0) {
    note_duplicate(fd, copy);
    io_happened();  // what `copy` was is closed
  }
  return as_int(result);
}
HEDDLE_EXPORT int dup2(int fd, int copy) {
  if (controlled()) io_simple_point(copy, HEDDLE_PROGRAM_PC);
  const long result = sys_call(SYS_dup2, fd, copy);
  if (controlled() && result >= 0 && fd != copy) {
    note_duplicate(fd, copy);
    io_happened();
  }
  return as_int(result);
}

HEDDLE_EXPORT int pipe2(int* ends, int flags) {
  const long result = sys_call(SYS_pipe2, address_of(ends), flags);
  if (controlled() && result == 0) note_private_descriptor(ends[0], ends[1]);
  return as_int(result);
}
HEDDLE_EXPORT int pipe(int* ends) {
  return pipe2(ends, 0);
}

HEDDLE_EXPORT int socketpair(int domain, int type, int protocol, int* ends) {
  const long result = sys_call(SYS_socketpair, domain, type, protocol, address_of(ends));
  if (controlled() && result == 0) note_private_descriptor(ends[0], ends[1]);
  return as_int(result);
}

HEDDLE_EXPORT int eventfd(unsigned count, int flags) {
  const long result = sys_call(SYS_eventfd2, static_cast<long>(count), flags);
  if (controlled() && result >= 0) note_private_descriptor(static_cast<int>(result), -1);
  return as_int(result);
}
HEDDLE_EXPORT int eventfd_read(int fd, eventfd_t* value) {
  return read(fd, value, sizeof *value) == sizeof *value ? 0 : -1;
}
HEDDLE_EXPORT int eventfd_write(int fd, eventfd_t value) {
  return write(fd, &value, sizeof value) == sizeof value ? 0 : -1;
}

HEDDLE_EXPORT int fcntl(int fd, int command, ...) {
  va_list list;
  va_start(list, command);
  const long argument = va_arg(list, long);
  va_end(list);
  if (!controlled()) return as_int(sys_call(SYS_fcntl, fd, command, argument));
  if (command == F_SETLKW || command == F_OFD_SETLKW) {
    return as_int(lock_record(fd, command, reinterpret_cast<struct flock*>(argument), HEDDLE_PROGRAM_PC));
  }
  const bool changes = command == F_SETLK || command == F_OFD_SETLK || command == F_SETFL;
  if (changes) io_simple_point(fd, HEDDLE_PROGRAM_PC);
  const long result = sys_call(SYS_fcntl, fd, command, argument);
  if (changes) io_happened();
  if ((command == F_DUPFD || command == F_DUPFD_CLOEXEC) && result >= 0)
    note_duplicate(fd, static_cast<int>(result));
  return as_int(result);
}
HEDDLE_EXPORT int fcntl64(int fd, int command, ...) __attribute__((alias("fcntl")));
HEDDLE_EXPORT int __fcntl(int fd, int command, ...) __attribute__((alias("fcntl")));

HEDDLE_EXPORT int flock(int fd, int operation) {
  if (!controlled()) return as_int(sys_call(SYS_flock, fd, operation));
  return as_int(lock_file(fd, operation, HEDDLE_PROGRAM_PC));
}
