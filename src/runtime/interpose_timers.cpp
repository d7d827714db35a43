// timerfd, alarm, setitimer and POSIX timers.
#include <fcntl.h>
#include <sys/eventfd.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <unistd.h>
#include <cerrno>

#include "runtime/clock.h"
#include "runtime/io.h"
#include "runtime/sync.h"
#include "runtime/threads.h"
#include "runtime/timers.h"

namespace heddle::rt {
namespace {

inline constexpr uint64_t kSecond = 1000000000;

bool is_zero(const timespec& time) {
  return time.tv_sec == 0 && time.tv_nsec == 0;
}

timespec to_timespec(uint64_t nanoseconds) {
  return {static_cast<time_t>(nanoseconds / kSecond), static_cast<long>(nanoseconds % kSecond)};
}

itimerspec left_of(const Timer* timer) {
  itimerspec result{};
  result.it_interval = to_timespec(timer->interval);
  if (timer->expiry != 0)
    result.it_value = to_timespec(timer->expiry > rt.clock ? timer->expiry - rt.clock : 1);
  return result;
}

// 0 or an errno value.
int set_timer(Timer* timer, bool absolute, const itimerspec* value) {
  if (!valid_time(&value->it_value) || !valid_time(&value->it_interval)) return EINVAL;
  uint64_t first = 0;
  if (!is_zero(value->it_value))
    first = absolute ? deadline_at(timer->clock, &value->it_value) : deadline_after(&value->it_value);
  const uint64_t interval = is_zero(value->it_interval) ? 0 : deadline_after(&value->it_interval) - rt.clock;
  timer_arm(timer, first, interval);
  return 0;
}

int failure(int error) {
  errno = error;
  return -1;
}

// The one timer of alarm and setitimer(ITIMER_REAL).
HEDDLE_EXECUTION Timer* alarm_timer;

Timer* real_timer() {
  if (alarm_timer == nullptr) {
    alarm_timer = timer_new(CLOCK_MONOTONIC);
    alarm_timer->info.si_signo = SIGALRM;
    alarm_timer->info.si_code = SI_KERNEL;
  }
  return alarm_timer;
}

void note_timer_call(uintptr_t pc) {
  simple_point(trace::EventKind::kYield, 0, pc);
  record_sync(trace::EventKind::kYield, 0, pc, trace::event_flag::kPoint);
}

}  // namespace
}  // namespace heddle::rt

using namespace heddle::rt;

HEDDLE_EXPORT int timerfd_create(clockid_t clock, int flags) {
  if (!controlled()) return static_cast<int>(io_result(sys_call(SYS_timerfd_create, clock, flags)));
  static_assert(int{TFD_NONBLOCK} == int{EFD_NONBLOCK} && int{TFD_CLOEXEC} == int{EFD_CLOEXEC});
  const int fd = eventfd(0, flags);
  if (fd >= 0) timer_new(clock)->descriptor = fd;
  return fd;
}

HEDDLE_EXPORT int timerfd_settime(int fd, int flags, const itimerspec* value, itimerspec* before) {
  Timer* timer = controlled() ? timer_of_descriptor(fd) : nullptr;
  if (timer == nullptr)
    return static_cast<int>(
        io_result(sys_call(SYS_timerfd_settime, fd, flags, address_of(value), address_of(before))));
  io_simple_point(fd, HEDDLE_PROGRAM_PC);
  if (before != nullptr) *before = left_of(timer);
  pollfd entry{fd, POLLIN, 0};
  uint64_t expirations;
  if (sys_call(SYS_poll, address_of(&entry), 1, 0) == 1) sys_call(SYS_read, fd, address_of(&expirations), 8);
  const int error = set_timer(timer, (flags & TFD_TIMER_ABSTIME) != 0, value);
  return error == 0 ? 0 : failure(error);
}

HEDDLE_EXPORT int timerfd_gettime(int fd, itimerspec* value) {
  const Timer* timer = controlled() ? timer_of_descriptor(fd) : nullptr;
  if (timer == nullptr)
    return static_cast<int>(io_result(sys_call(SYS_timerfd_gettime, fd, address_of(value))));
  *value = left_of(timer);
  return 0;
}

HEDDLE_EXPORT int setitimer(int which, const itimerval* value, itimerval* before) {
  if (!controlled())
    return static_cast<int>(io_result(sys_call(SYS_setitimer, which, address_of(value), address_of(before))));
  if (which != ITIMER_REAL) {
    // Time that a thread computes does not pass here, so these never expire.
    if (before != nullptr) *before = {};
    return which == ITIMER_VIRTUAL || which == ITIMER_PROF ? 0 : failure(EINVAL);
  }
  note_timer_call(HEDDLE_PROGRAM_PC);
  Timer* timer = real_timer();
  if (before != nullptr) {
    const itimerspec left = left_of(timer);
    *before = {{left.it_interval.tv_sec, left.it_interval.tv_nsec / 1000},
               {left.it_value.tv_sec, left.it_value.tv_nsec / 1000}};
  }
  const itimerspec wanted{{value->it_interval.tv_sec, value->it_interval.tv_usec * 1000},
                          {value->it_value.tv_sec, value->it_value.tv_usec * 1000}};
  const int error = set_timer(timer, false, &wanted);
  return error == 0 ? 0 : failure(error);
}

HEDDLE_EXPORT int getitimer(int which, itimerval* value) {
  if (!controlled()) return static_cast<int>(io_result(sys_call(SYS_getitimer, which, address_of(value))));
  const itimerspec left = which == ITIMER_REAL ? left_of(real_timer()) : itimerspec{};
  *value = {{left.it_interval.tv_sec, left.it_interval.tv_nsec / 1000},
            {left.it_value.tv_sec, left.it_value.tv_nsec / 1000}};
  return 0;
}

HEDDLE_EXPORT unsigned alarm(unsigned seconds) {
  if (!controlled()) return static_cast<unsigned>(sys_call(SYS_alarm, seconds));
  note_timer_call(HEDDLE_PROGRAM_PC);
  Timer* timer = real_timer();
  const uint64_t left = timer->expiry > rt.clock ? timer->expiry - rt.clock : 0;
  const itimerspec value{{0, 0}, {static_cast<time_t>(seconds), 0}};
  set_timer(timer, false, &value);
  return static_cast<unsigned>((left + kSecond - 1) / kSecond);
}

HEDDLE_EXPORT useconds_t ualarm(useconds_t first, useconds_t interval) {
  const itimerval value{
      {static_cast<time_t>(interval / 1000000), static_cast<suseconds_t>(interval % 1000000)},
      {static_cast<time_t>(first / 1000000), static_cast<suseconds_t>(first % 1000000)}};
  itimerval before{};
  if (setitimer(ITIMER_REAL, &value, &before) != 0) return static_cast<useconds_t>(-1);
  return static_cast<useconds_t>(before.it_value.tv_sec * 1000000 + before.it_value.tv_usec);
}

HEDDLE_EXPORT int timer_create(clockid_t clock, sigevent* event, timer_t* result) {
  static HEDDLE_REAL Real<int(clockid_t, sigevent*, timer_t*)> real_create{"timer_create"};
  if (!controlled()) return real_create(clock, event, result);
  const int how = event != nullptr ? event->sigev_notify : SIGEV_SIGNAL;
  Timer* timer = timer_new(clock);
  timer->info.si_code = SI_TIMER;
  timer->info.si_value.sival_ptr = timer;
  if (event != nullptr) timer->info.si_value = event->sigev_value;
  if (how == SIGEV_SIGNAL || how == SIGEV_THREAD_ID)
    timer->info.si_signo = event != nullptr ? event->sigev_signo : SIGALRM;
  if (how == SIGEV_THREAD_ID) timer->target = fiber_of_tid(event->_sigev_un._tid);
  if (how == SIGEV_THREAD) timer->function = event->sigev_notify_function;
  if (how == SIGEV_THREAD_ID && timer->target == nullptr) {
    timer_free(timer);
    return failure(EINVAL);
  }
  *result = timer;
  return 0;
}

HEDDLE_EXPORT int timer_settime(timer_t handle, int flags, const itimerspec* value, itimerspec* before) {
  static HEDDLE_REAL Real<int(timer_t, int, const itimerspec*, itimerspec*)> real_settime{"timer_settime"};
  if (!controlled()) return real_settime(handle, flags, value, before);
  note_timer_call(HEDDLE_PROGRAM_PC);
  auto* timer = static_cast<Timer*>(handle);
  if (before != nullptr) *before = left_of(timer);
  const int error = set_timer(timer, (flags & TIMER_ABSTIME) != 0, value);
  return error == 0 ? 0 : failure(error);
}

HEDDLE_EXPORT int timer_gettime(timer_t handle, itimerspec* value) {
  static HEDDLE_REAL Real<int(timer_t, itimerspec*)> real_gettime{"timer_gettime"};
  if (!controlled()) return real_gettime(handle, value);
  *value = left_of(static_cast<const Timer*>(handle));
  return 0;
}

HEDDLE_EXPORT int timer_getoverrun(timer_t handle) {
  static HEDDLE_REAL Real<int(timer_t)> real_overrun{"timer_getoverrun"};
  if (!controlled()) return real_overrun(handle);
  return static_cast<int>(static_cast<const Timer*>(handle)->overrun);
}

HEDDLE_EXPORT int timer_delete(timer_t handle) {
  static HEDDLE_REAL Real<int(timer_t)> real_delete{"timer_delete"};
  if (!controlled()) return real_delete(handle);
  timer_free(static_cast<Timer*>(handle));
  return 0;
}
