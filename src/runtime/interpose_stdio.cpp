// flockfile: locks of streams that the program takes itself.
//
// glibc takes a stream's lock for the length of one call, in which no scheduling point lies. A lock that the
// program holds from one call to the next would stand in the way of the others' calls for ever, as they all
// wait on one kernel thread. So these locks are ours, and the calls that use a stream wait for them.
#include <cstdarg>
#include <cstdio>

#include "runtime/address_space.h"
#include "runtime/io.h"
#include "runtime/sync.h"

namespace heddle::rt {
namespace {

using trace::EventKind;
namespace flag = trace::event_flag;

// `owner` comes first: owner_lock_op looks there.
struct StreamLock {
  uint32_t owner;  // thread + 1
  uint32_t depth;
  FILE* stream;
  StreamLock* next;
};
HEDDLE_WORLD StreamLock* stream_locks;
HEDDLE_WORLD uint32_t held_count;  // the common case is that nobody holds one

StreamLock* find_lock(FILE* stream) {
  for (StreamLock* lock = stream_locks; lock != nullptr; lock = lock->next) {
    if (lock->stream == stream) return lock;
  }
  return nullptr;
}

StreamLock* lock_of(FILE* stream) {
  if (StreamLock* lock = find_lock(stream)) return lock;
  auto* lock = static_cast<StreamLock*>(own_memory(sizeof(StreamLock)));
  lock->stream = stream;
  lock->next = stream_locks;
  stream_locks = lock;
  return lock;
}

void take(StreamLock* lock, EventKind kind, uintptr_t pc) {
  if (lock->owner == self_id()) {
    lock->depth++;
    return;
  }
  lock->owner = self_id();
  lock->depth = 1;
  held_count++;
  note_held(address_of(lock->stream), pc, false);
  record_sync(kind, address_of(lock->stream), pc, flag::kPoint);
}

void acquire(FILE* stream, uintptr_t pc) {
  StreamLock* lock = lock_of(stream);
  if (lock->owner != self_id()) point(owner_lock_op(lock, pc));
  take(lock, EventKind::kLock, pc);
}

void release_stream(FILE* stream, uintptr_t pc) {
  StreamLock* lock = find_lock(stream);
  if (lock == nullptr || lock->owner != self_id() || --lock->depth != 0) return;
  simple_point(EventKind::kUnlock, address_of(stream), pc);
  lock->owner = 0;
  held_count--;
  note_released(rt.current, address_of(stream));
  record_sync(EventKind::kUnlock, address_of(stream), pc, flag::kPoint);
  wake(address_of(lock));
}

// A call that uses the stream, while another thread may hold it.
void wait_until_free(FILE* stream, uintptr_t pc) {
  if (HEDDLE_LIKELY(held_count == 0) || !controlled()) return;
  const StreamLock* lock = find_lock(stream);
  if (lock == nullptr || lock->owner == 0 || lock->owner == self_id()) return;
  acquire(stream, pc);
  release_stream(stream, pc);
}

// Input through a stream is read inside glibc, where no other thread can run. So the first byte that is not
// there yet is waited for here.
void wait_for_input(FILE* stream, uintptr_t pc) {
  if (!controlled()) return;
  wait_until_free(stream, pc);
  if (stream->_IO_read_ptr < stream->_IO_read_end || stream->_fileno < 0) return;
  const DescriptorKind kind = descriptor_of(stream->_fileno)->kind;
  if (kind == DescriptorKind::kNone || kind == DescriptorKind::kFile || is_nonblocking(stream->_fileno))
    return;
  pollfd entry{stream->_fileno, POLLIN, 0};
  PollSet set{&entry, 1};
  Op op = poll_op(&set, channel_address(descriptor_of(stream->_fileno)), pc);
  op.on_signal = OnSignal::kResume;
  if (rt.live_count == 1 && op.enabled(op)) return;
  if (input_point(op) == PointResult::kGo) io_record(descriptor_of(entry.fd), pc, 0);
}

}  // namespace

void streams_begin_execution() {
  if (HEDDLE_LIKELY(held_count == 0)) return;
  for (StreamLock* lock = stream_locks; lock != nullptr; lock = lock->next) lock->owner = lock->depth = 0;
  held_count = 0;
}

}  // namespace heddle::rt

using namespace heddle::rt;

HEDDLE_EXPORT void flockfile(FILE* stream) {
  static HEDDLE_REAL Real<void(FILE*)> real_lock{"flockfile"};
  if (!controlled()) return real_lock(stream);
  acquire(stream, HEDDLE_PROGRAM_PC);
}
HEDDLE_EXPORT int ftrylockfile(FILE* stream) {
  static HEDDLE_REAL Real<int(FILE*)> real_trylock{"ftrylockfile"};
  if (!controlled()) return real_trylock(stream);
  const uintptr_t pc = HEDDLE_PROGRAM_PC;
  StreamLock* lock = lock_of(stream);
  simple_point(EventKind::kTryLock, address_of(stream), pc);
  if (lock->owner != 0 && lock->owner != self_id()) {
    record_sync(EventKind::kTryLock, address_of(stream), pc, flag::kPoint | flag::kFailed);
    spin_note_read(address_of(lock), 1, pc, lock->owner);
    return 1;
  }
  take(lock, EventKind::kTryLock, pc);
  return 0;
}
HEDDLE_EXPORT void funlockfile(FILE* stream) {
  static HEDDLE_REAL Real<void(FILE*)> real_unlock{"funlockfile"};
  if (!controlled()) return real_unlock(stream);
  release_stream(stream, HEDDLE_PROGRAM_PC);
}

// The calls that programs make on streams that others may have locked.
#define HEDDLE_STREAM_CALL(wait, result, name, parameters, arguments, stream) \
  HEDDLE_EXPORT result name parameters {                                      \
    static HEDDLE_REAL Real<result parameters> real{#name};                   \
    wait(stream, HEDDLE_PROGRAM_PC);                                          \
    return real arguments;                                                    \
  }
#define HEDDLE_OUTPUT(...) HEDDLE_STREAM_CALL(wait_until_free, __VA_ARGS__)
#define HEDDLE_INPUT(...) HEDDLE_STREAM_CALL(wait_for_input, __VA_ARGS__)
HEDDLE_OUTPUT(int, puts, (const char* text), (text), stdout)
HEDDLE_OUTPUT(int, putchar, (int letter), (letter), stdout)
HEDDLE_OUTPUT(int, fputs, (const char* text, FILE* stream), (text, stream), stream)
HEDDLE_OUTPUT(int, fputc, (int letter, FILE* stream), (letter, stream), stream)
HEDDLE_OUTPUT(int, putc, (int letter, FILE* stream), (letter, stream), stream)
HEDDLE_OUTPUT(size_t, fwrite, (const void* data, size_t size, size_t count, FILE* stream),
              (data, size, count, stream), stream)
HEDDLE_OUTPUT(int, vfprintf, (FILE * stream, const char* format, va_list list), (stream, format, list),
              stream)
HEDDLE_OUTPUT(int, vprintf, (const char* format, va_list list), (format, list), stdout)
HEDDLE_INPUT(size_t, fread, (void* data, size_t size, size_t count, FILE* stream),
             (data, size, count, stream), stream)
HEDDLE_INPUT(char*, fgets, (char* text, int size, FILE* stream), (text, size, stream), stream)
HEDDLE_INPUT(int, fgetc, (FILE * stream), (stream), stream)
HEDDLE_INPUT(int, getc, (FILE * stream), (stream), stream)
HEDDLE_INPUT(int, getchar, (), (), stdin)
HEDDLE_INPUT(ssize_t, getline, (char** line, size_t* room, FILE* stream), (line, room, stream), stream)
HEDDLE_INPUT(ssize_t, getdelim, (char** line, size_t* room, int end, FILE* stream), (line, room, end, stream),
             stream)
HEDDLE_INPUT(int, __isoc99_vfscanf, (FILE * stream, const char* format, va_list list), (stream, format, list),
             stream)
#undef HEDDLE_INPUT
#undef HEDDLE_OUTPUT
#undef HEDDLE_STREAM_CALL

HEDDLE_EXPORT int fflush(FILE* stream) {
  static HEDDLE_REAL Real<int(FILE*)> real_fflush{"fflush"};
  if (stream != nullptr) wait_until_free(stream, HEDDLE_PROGRAM_PC);
  return real_fflush(stream);
}
HEDDLE_EXPORT int fprintf(FILE* stream, const char* format, ...) {
  wait_until_free(stream, HEDDLE_PROGRAM_PC);
  va_list list;
  va_start(list, format);
  const int result = vfprintf(stream, format, list);
  va_end(list);
  return result;
}
HEDDLE_EXPORT int printf(const char* format, ...) {
  wait_until_free(stdout, HEDDLE_PROGRAM_PC);
  va_list list;
  va_start(list, format);
  const int result = vprintf(format, list);
  va_end(list);
  return result;
}

HEDDLE_EXPORT int __isoc99_fscanf(FILE* stream, const char* format, ...) {
  va_list list;
  va_start(list, format);
  const int result = __isoc99_vfscanf(stream, format, list);
  va_end(list);
  return result;
}
HEDDLE_EXPORT int __isoc99_scanf(const char* format, ...) {
  va_list list;
  va_start(list, format);
  const int result = __isoc99_vfscanf(stdin, format, list);
  va_end(list);
  return result;
}
