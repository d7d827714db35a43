// poll, select and epoll.
#include <poll.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <cerrno>
#include <csignal>

#include "runtime/clock.h"
#include "runtime/io.h"
#include "runtime/signal_delivery.h"
#include "runtime/sync.h"

namespace heddle::rt {
namespace {

using trace::EventKind;
namespace flag = trace::event_flag;

uintptr_t first_object(const PollSet& set) {
  for (size_t i = 0; i < set.count; ++i) {
    if (set.entries[i].fd < 0) continue;
    const Descriptor* descriptor = descriptor_of(set.entries[i].fd);
    if (descriptor->kind != DescriptorKind::kNone) return channel_address(descriptor);
  }
  return 0;
}

bool any_reaches_outside(const PollSet& set) {
  for (size_t i = 0; i < set.count; ++i) {
    if (set.entries[i].fd >= 0 && reaches_outside(set.entries[i].fd)) return true;
  }
  return false;
}

struct Timeout {
  enum Kind { kNone, kZero, kUntil } kind;
  uint64_t deadline;
};

Timeout timeout_after(const timespec* duration) {
  if (duration == nullptr) return {Timeout::kNone, 0};
  if (duration->tv_sec == 0 && duration->tv_nsec == 0) return {Timeout::kZero, 0};
  return {Timeout::kUntil, deadline_after(duration)};
}

Timeout timeout_in_milliseconds(int milliseconds) {
  if (milliseconds < 0) return {Timeout::kNone, 0};
  const timespec duration{milliseconds / 1000, static_cast<long>(milliseconds % 1000) * 1000000};
  return timeout_after(&duration);
}

// Waits until one of the descriptors is ready; `call` then asks the kernel without waiting. The answer of a
// call that finds nothing is 0.
template <typename Call>
long wait_for_any(PollSet* set, const Timeout& timeout, const Call& call, uintptr_t pc) {
  const uintptr_t object = first_object(*set);
  for (;;) {
    Op op = poll_op(set, object, pc);
    op.on_signal = OnSignal::kReturn;
    op.deadline = timeout.deadline;
    if (timeout.kind == Timeout::kZero) op.enabled = nullptr;
    // Alone, and not about to wait: no choice.
    const bool is_point = rt.live_count > 1 || (op.enabled != nullptr && !op.enabled(op));
    const PointResult reached = is_point ? input_point(op) : PointResult::kGo;
    if (reached == PointResult::kInterrupted) return -EINTR;
    const bool timed_out = reached == PointResult::kTimedOut;
    const long result = call();
    if (is_point) {
      record_sync(EventKind::kAccess, object, pc,
                  flag::kPoint | (result < 0 ? flag::kFailed : 0) | (timed_out ? flag::kTimedOut : 0));
    }
    if (result == 0 && timeout.kind == Timeout::kZero) {
      spin_note_read(object | kChannelBase | 8, 1, pc, 0);
      if (any_reaches_outside(*set)) give_outside_time();
    }
    if (result != 0 || timed_out || timeout.kind == Timeout::kZero) return result;
  }
}

long poll_descriptors(pollfd* entries, nfds_t count, const Timeout& timeout, uintptr_t pc) {
  PollSet set{entries, count};
  const SystemCall call(SYS_poll, entries, static_cast<long>(count), 0);
  return wait_for_any(&set, timeout, call, pc);
}

bool contains(const fd_set* set, int fd) {
  return set != nullptr && (set->fds_bits[fd / NFDBITS] & (1l << (fd % NFDBITS))) != 0;
}

long select_descriptors(int count, fd_set* readable, fd_set* writable, fd_set* exceptional,
                        const Timeout& timeout, uintptr_t pc) {
  if (count < 0) return -EINVAL;
  auto* entries = static_cast<pollfd*>(__builtin_alloca((static_cast<size_t>(count) + 1) * sizeof(pollfd)));
  size_t used = 0;
  for (int fd = 0; fd < count; ++fd) {
    short events = 0;
    if (contains(readable, fd)) events |= POLLIN | POLLRDNORM | POLLRDBAND;
    if (contains(writable, fd)) events |= POLLOUT | POLLWRNORM | POLLWRBAND;
    if (contains(exceptional, fd)) events |= POLLPRI;
    if (events != 0) entries[used++] = {fd, events, 0};
  }
  PollSet set{entries, used};
  // The kernel clears the sets when it finds nothing, and readiness for poll need not be one for select.
  const size_t words = (static_cast<size_t>(count) + NFDBITS - 1) / NFDBITS;
  const size_t bytes = words * sizeof(long);
  auto* saved = static_cast<char*>(__builtin_alloca(3 * bytes + 1));
  fd_set* const sets[] = {readable, writable, exceptional};
  for (int i = 0; i < 3; ++i) {
    if (sets[i] != nullptr) copy_bytes(saved + static_cast<size_t>(i) * bytes, sets[i], bytes);
  }
  const auto call = [&] {
    for (int i = 0; i < 3; ++i) {
      if (sets[i] != nullptr) copy_bytes(sets[i], saved + static_cast<size_t>(i) * bytes, bytes);
    }
    timespec none{0, 0};
    return sys_call(SYS_pselect6, count, address_of(readable), address_of(writable), address_of(exceptional),
                    address_of(&none), 0);
  };
  return wait_for_any(&set, timeout, call, pc);
}

long wait_for_epoll(int fd, epoll_event* events, int count, const Timeout& timeout, uintptr_t pc) {
  pollfd entry{fd, POLLIN, 0};
  PollSet set{&entry, 1};
  const SystemCall call(SYS_epoll_wait, fd, events, count, 0);
  return wait_for_any(&set, timeout, call, pc);
}

}  // namespace
}  // namespace heddle::rt

using namespace heddle::rt;

HEDDLE_EXPORT int poll(pollfd* entries, nfds_t count, int milliseconds) {
  if (!controlled())
    return static_cast<int>(
        io_result(sys_call(SYS_poll, address_of(entries), static_cast<long>(count), milliseconds)));
  return static_cast<int>(
      io_result(poll_descriptors(entries, count, timeout_in_milliseconds(milliseconds), HEDDLE_PROGRAM_PC)));
}
HEDDLE_EXPORT int __poll(pollfd* entries, nfds_t count, int milliseconds) __attribute__((alias("poll")));
HEDDLE_EXPORT int __poll_chk(pollfd* entries, nfds_t count, int milliseconds, size_t) {
  return poll(entries, count, milliseconds);
}

HEDDLE_EXPORT int ppoll(pollfd* entries, nfds_t count, const timespec* duration, const sigset_t* mask) {
  if (!controlled()) {
    timespec copy = duration != nullptr ? *duration : timespec{};
    return static_cast<int>(
        io_result(sys_call(SYS_ppoll, address_of(entries), static_cast<long>(count),
                           duration != nullptr ? address_of(&copy) : 0, address_of(mask), 8)));
  }
  if (duration != nullptr && !valid_time(duration)) return static_cast<int>(io_result(-EINVAL));
  SignalMaskScope masked(mask);
  const uintptr_t pc = HEDDLE_PROGRAM_PC;
  return static_cast<int>(io_result(poll_descriptors(entries, count, timeout_after(duration), pc)));
}
HEDDLE_EXPORT int __ppoll_chk(pollfd* entries, nfds_t count, const timespec* duration, const sigset_t* mask,
                              size_t) {
  return ppoll(entries, count, duration, mask);
}

HEDDLE_EXPORT int pselect(int count, fd_set* readable, fd_set* writable, fd_set* exceptional,
                          const timespec* duration, const sigset_t* mask) {
  if (!controlled()) {
    static HEDDLE_REAL Real<int(int, fd_set*, fd_set*, fd_set*, const timespec*, const sigset_t*)>
        real_pselect{"pselect"};
    return real_pselect(count, readable, writable, exceptional, duration, mask);
  }
  if (duration != nullptr && !valid_time(duration)) return static_cast<int>(io_result(-EINVAL));
  SignalMaskScope masked(mask);
  const uintptr_t pc = HEDDLE_PROGRAM_PC;
  return static_cast<int>(
      io_result(select_descriptors(count, readable, writable, exceptional, timeout_after(duration), pc)));
}

HEDDLE_EXPORT int select(int count, fd_set* readable, fd_set* writable, fd_set* exceptional, timeval* time) {
  if (!controlled()) {
    static HEDDLE_REAL Real<int(int, fd_set*, fd_set*, fd_set*, timeval*)> real_select{"select"};
    return real_select(count, readable, writable, exceptional, time);
  }
  if (time != nullptr && (time->tv_sec < 0 || time->tv_usec < 0)) return static_cast<int>(io_result(-EINVAL));
  timespec duration{};
  if (time != nullptr) duration = {time->tv_sec + time->tv_usec / 1000000, time->tv_usec % 1000000 * 1000};
  const Timeout timeout = timeout_after(time != nullptr ? &duration : nullptr);
  const long result = select_descriptors(count, readable, writable, exceptional, timeout, HEDDLE_PROGRAM_PC);
  // Linux stores how much of the time was left.
  if (timeout.kind == Timeout::kUntil) {
    const uint64_t left = timeout.deadline > rt.clock ? timeout.deadline - rt.clock : 0;
    *time = {static_cast<time_t>(left / 1000000000), static_cast<suseconds_t>(left % 1000000000 / 1000)};
  }
  return static_cast<int>(io_result(result));
}

HEDDLE_EXPORT int epoll_wait(int fd, epoll_event* events, int count, int milliseconds) {
  if (!controlled())
    return static_cast<int>(io_result(sys_call(SYS_epoll_wait, fd, address_of(events), count, milliseconds)));
  return static_cast<int>(
      io_result(wait_for_epoll(fd, events, count, timeout_in_milliseconds(milliseconds), HEDDLE_PROGRAM_PC)));
}

HEDDLE_EXPORT int epoll_pwait(int fd, epoll_event* events, int count, int milliseconds,
                              const sigset_t* mask) {
  if (!controlled())
    return static_cast<int>(io_result(
        sys_call(SYS_epoll_pwait, fd, address_of(events), count, milliseconds, address_of(mask), 8)));
  SignalMaskScope masked(mask);
  const uintptr_t pc = HEDDLE_PROGRAM_PC;
  return static_cast<int>(
      io_result(wait_for_epoll(fd, events, count, timeout_in_milliseconds(milliseconds), pc)));
}

HEDDLE_EXPORT int epoll_pwait2(int fd, epoll_event* events, int count, const timespec* duration,
                               const sigset_t* mask) {
  if (!controlled())
    return static_cast<int>(io_result(sys_call(SYS_epoll_pwait2, fd, address_of(events), count,
                                               address_of(duration), address_of(mask), 8)));
  SignalMaskScope masked(mask);
  const uintptr_t pc = HEDDLE_PROGRAM_PC;
  return static_cast<int>(io_result(wait_for_epoll(fd, events, count, timeout_after(duration), pc)));
}

HEDDLE_EXPORT int epoll_ctl(int fd, int operation, int member, epoll_event* event) {
  if (controlled()) io_simple_point(fd, HEDDLE_PROGRAM_PC);
  const long result = sys_call(SYS_epoll_ctl, fd, operation, member, address_of(event));
  if (controlled()) io_happened();
  return static_cast<int>(io_result(result));
}
