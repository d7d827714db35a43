// Input and output that parks only its thread.
//
// A call that could block is an operation like any other: it is enabled when the kernel says, asked with a
// timeout of zero, that the call would not block. A thread whose descriptors are not ready is looked at again
// whenever some thread has done input or output, now and then, and before anything that only idleness
// justifies: letting time pass, waking spinners, telling a deadlock.
//
// When nothing can run, the other ends decide. If a descriptor leads outside (another process may write to
// it), the process really waits; if every end is held by its own threads, nothing can come any more, and the
// standstill is a deadlock. A timed wait for the outside is *patient*: its timeout comes only after it has
// had that time in reality, since the outside does not follow the virtual clock.
#pragma once

#include <poll.h>

#include "runtime/descriptors.h"
#include "runtime/scheduler.h"
#include "runtime/sys.h"

namespace heddle::rt {

// Descriptors on which a thread waits; `Op::argument` points to it while it does.
struct PollSet {
  pollfd* entries;
  size_t count;
};

inline bool waits_for_outside(const Op& op) {
  return op.wait >= trace::WaitKind::kInput;
}

// A wait on `set`, which must live until point() returns.
Op poll_op(PollSet* set, uintptr_t object, uintptr_t pc);
// As point(), for an operation that waits for the outside world; a cancellation point.
PointResult input_point(Op op);

// A wait for something that the kernel cannot be asked about without taking it: the thread tries again
// whenever some thread has done input or output.
Op retry_op(uintptr_t object, uintptr_t pc);

// Some thread has moved data, or changed a descriptor: whoever waits for input may be able to go on.
void io_happened();

// A call that does not block found nothing outside. Time is virtual here but not there: a program that looks
// again and again must not run through its patience before anything can have arrived.
void give_outside_time();

// For the scheduler.
struct IdleResult {
  bool changed;      // somebody can run now: collect the candidates again
  Fiber* timed_out;  // a patient wait whose time is up
};
// Nobody can run but by letting time pass until `earliest` (0: not even so).
IdleResult io_when_idle(uint64_t earliest);
void io_recheck_if_due();
// The given schedule runs this thread next: waits until what it needs has arrived, within reason.
void io_wait_for(Fiber* fiber);

// A system call, as the kernel takes it: numbers and pointers.
class SystemCall {
 public:
  template <typename... Arguments>
  explicit SystemCall(long number, Arguments... arguments) : number_(number), words_{word(arguments)...} {}
  long operator()() const {
    return sys_call(number_, words_[0], words_[1], words_[2], words_[3], words_[4], words_[5]);
  }
  long argument(size_t index) const { return words_[index]; }
  SystemCall with_argument(size_t index, long value) const {
    SystemCall changed = *this;
    changed.words_[index] = value;
    return changed;
  }

 private:
  template <typename T>
  static long word(T* pointer) {
    return reinterpret_cast<long>(pointer);
  }
  static long word(long number) { return number; }

  long number_;
  long words_[6];
};

// One call on a descriptor: waits until it is ready for `events` unless it is non-blocking, executes the
// call, records it and tells who waits. Returns what the kernel returns (-errno).
struct IoCall {
  int fd;
  short events;
  uintptr_t pc;
  bool never_blocks = false;  // the call itself asks not to block (MSG_DONTWAIT)
  uint64_t deadline = 0;
};
long io_perform(const IoCall& io, const SystemCall& call);

// A scheduling point for an operation on a descriptor that cannot block (close, shutdown, listen …).
void io_simple_point(int fd, uintptr_t pc);
void io_record(const Descriptor* descriptor, uintptr_t pc, long result);

bool is_nonblocking(int fd);

// Nobody holds a stream (flockfile).
void streams_begin_execution();

// errno and -1 for an error of the kernel.
long io_result(long result);

}  // namespace heddle::rt
