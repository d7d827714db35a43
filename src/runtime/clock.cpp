#include "runtime/clock.h"

#include <pthread.h>
#include <sys/time.h>
#include <sys/timex.h>
#include <unistd.h>
#include <cerrno>

#include "runtime/cancel.h"
#include "runtime/sync.h"

namespace heddle::rt {
namespace {

using trace::EventKind;
namespace flag = trace::event_flag;

inline constexpr uint64_t kSecond = 1000000000;
// Where virtual time starts: fixed, so that every execution sees the same clocks. 2024-01-01, and a machine
// that has been up for a day.
inline constexpr uint64_t kRealtimeStart = 1704067200ull * kSecond;
inline constexpr uint64_t kMonotonicStart = 86400ull * kSecond;
// What one look at the clock costs, at first. A thread that only looks at it again and again makes time pass
// ever faster, so that a loop that waits for a moment ends soon. One that works in between does so as well,
// but slowly: a loop that works until a moment ends, too, and timeouts of others keep their meaning.
inline constexpr uint64_t kFirstTick = 1000;
inline constexpr uint64_t kLastTick = kSecond / 4;
inline constexpr uint64_t kLooksForOneMore = 16;  // after so many looks with work each costs kFirstTick more

// More steps of a thread between two looks are work: it does not just wait for time to pass.
inline constexpr uint64_t kWork = 8;

uint64_t start_of(clockid_t clock) {
  switch (clock) {
    case CLOCK_REALTIME:
    case CLOCK_REALTIME_COARSE:
    case CLOCK_TAI:
      return kRealtimeStart;
    case CLOCK_PROCESS_CPUTIME_ID:
    case CLOCK_THREAD_CPUTIME_ID:
      return 0;
    default:
      return clock < 0 ? 0 : kMonotonicStart;  // negative: CPU clocks of threads and processes
  }
}

uint64_t nanoseconds(const timespec* time) {
  if (time->tv_sec < 0) return 0;
  constexpr uint64_t kMost = uint64_t{1} << 32;  // seconds; longer counts as for ever
  const uint64_t seconds =
      static_cast<uint64_t>(time->tv_sec) < kMost ? static_cast<uint64_t>(time->tv_sec) : kMost;
  return seconds * kSecond + static_cast<uint64_t>(time->tv_nsec);
}

void store(uint64_t time, timespec* result) {
  result->tv_sec = static_cast<time_t>(time / kSecond);
  result->tv_nsec = static_cast<long>(time % kSecond);
}

// What a clock shows depends on how far the others have come, so reading it is a scheduling point; a thread
// that keeps doing nothing else is asked to let others go first.
uint64_t read_clock(clockid_t clock, uintptr_t pc) {
  clock_tick();
  if (rt.live_count > 1) {
    simple_point(EventKind::kYield, 0, pc, rt.current->tick > kFirstTick * 64);
    record_sync(EventKind::kYield, 0, pc, flag::kPoint);
  }
  return start_of(clock) + rt.clock;
}

int sleep_for(const timespec* duration, timespec* left, uintptr_t pc) {
  if (duration->tv_sec < 0 || !valid_time(duration)) return EINVAL;
  const uint64_t deadline = deadline_after(duration);
  const bool slept = sleep_until(deadline, pc);
  if (left != nullptr) store(slept || deadline <= rt.clock ? 0 : deadline - rt.clock, left);
  return slept ? 0 : EINTR;
}

}  // namespace

uint64_t deadline_at(clockid_t clock, const timespec* time) {
  const uint64_t absolute = nanoseconds(time);
  const uint64_t start = start_of(clock);
  const uint64_t relative = absolute > start ? absolute - start : 0;
  if (relative > rt.clock) return relative;
  // A thread that waits again and again until a moment that has passed makes time pass, as one does that
  // looks at the clock: it may be waiting for a timeout of somebody else's.
  clock_tick();
  return rt.clock + 1;
}

uint64_t deadline_after(const timespec* duration) {
  const uint64_t length = nanoseconds(duration);
  return rt.clock + (length > 0 ? length : 1);
}

void clock_tick() {
  Fiber* self = rt.current;
  self->clock_looks++;
  if (self->tick == 0 || self->own_steps > self->tick_step + kWork)
    self->tick = kFirstTick * (1 + self->clock_looks / kLooksForOneMore);
  else if (self->tick < kLastTick)
    self->tick += self->tick / 4 + 1;
  self->tick_step = self->own_steps;
  rt.clock += self->tick;
}

bool sleep_until(uint64_t deadline, uintptr_t pc) {
  Op op;
  op.kind = EventKind::kSleep;
  op.wait = trace::WaitKind::kSleep;
  op.pc = pc;
  op.deadline = deadline;
  op.enabled = never;
  op.on_signal = OnSignal::kReturn;
  if (cancellable_point(op) == PointResult::kInterrupted) return false;
  record_sync(EventKind::kSleep, 0, pc, flag::kPoint);
  return true;
}

}  // namespace heddle::rt

using namespace heddle::rt;

HEDDLE_EXPORT int clock_gettime(clockid_t clock, timespec* time) {
  static HEDDLE_REAL Real<int(clockid_t, timespec*)> real_clock_gettime{"clock_gettime"};
  if (!controlled()) return real_clock_gettime(clock, time);
  store(read_clock(clock, HEDDLE_PROGRAM_PC), time);
  return 0;
}

HEDDLE_EXPORT int gettimeofday(timeval* time, void* zone) {
  static HEDDLE_REAL Real<int(timeval*, void*)> real_gettimeofday{"gettimeofday"};
  if (!controlled()) return real_gettimeofday(time, zone);
  const uint64_t now = read_clock(CLOCK_REALTIME, HEDDLE_PROGRAM_PC);
  *time = {static_cast<time_t>(now / kSecond), static_cast<suseconds_t>(now % kSecond / 1000)};
  return 0;
}

HEDDLE_EXPORT time_t time(time_t* result) {
  static HEDDLE_REAL Real<time_t(time_t*)> real_time{"time"};
  if (!controlled()) return real_time(result);
  const auto now = static_cast<time_t>(read_clock(CLOCK_REALTIME, HEDDLE_PROGRAM_PC) / kSecond);
  if (result != nullptr) *result = now;
  return now;
}

HEDDLE_EXPORT clock_t clock() {
  static HEDDLE_REAL Real<clock_t()> real_clock{"clock"};
  if (!controlled()) return real_clock();
  return static_cast<clock_t>(read_clock(CLOCK_PROCESS_CPUTIME_ID, HEDDLE_PROGRAM_PC) / 1000);
}

HEDDLE_EXPORT int nanosleep(const timespec* duration, timespec* left) {
  static HEDDLE_REAL Real<int(const timespec*, timespec*)> real_nanosleep{"nanosleep"};
  if (!controlled()) return real_nanosleep(duration, left);
  if (const int error = sleep_for(duration, left, HEDDLE_PROGRAM_PC); error != 0) {
    errno = error;
    return -1;
  }
  return 0;
}

HEDDLE_EXPORT int clock_nanosleep(clockid_t clock, int flags, const timespec* time, timespec* left) {
  static HEDDLE_REAL Real<int(clockid_t, int, const timespec*, timespec*)> real_clock_nanosleep{
      "clock_nanosleep"};
  if (!controlled()) return real_clock_nanosleep(clock, flags, time, left);
  if (!valid_time(time)) return EINVAL;
  if ((flags & TIMER_ABSTIME) == 0) return sleep_for(time, left, HEDDLE_PROGRAM_PC);
  return sleep_until(deadline_at(clock, time), HEDDLE_PROGRAM_PC) ? 0 : EINTR;
}

HEDDLE_EXPORT int usleep(useconds_t microseconds) {
  static HEDDLE_REAL Real<int(useconds_t)> real_usleep{"usleep"};
  if (!controlled()) return real_usleep(microseconds);
  const timespec duration{microseconds / 1000000, static_cast<long>(microseconds % 1000000) * 1000};
  if (const int error = sleep_for(&duration, nullptr, HEDDLE_PROGRAM_PC); error != 0) {
    errno = error;
    return -1;
  }
  return 0;
}

HEDDLE_EXPORT unsigned sleep(unsigned seconds) {
  static HEDDLE_REAL Real<unsigned(unsigned)> real_sleep{"sleep"};
  if (!controlled()) return real_sleep(seconds);
  const timespec duration{static_cast<time_t>(seconds), 0};
  timespec left{};
  sleep_for(&duration, &left, HEDDLE_PROGRAM_PC);
  return static_cast<unsigned>(left.tv_sec + (left.tv_nsec >= 500000000 ? 1 : 0));
}

HEDDLE_EXPORT int sched_yield() {
  if (!controlled()) return static_cast<int>(sys_call(SYS_sched_yield));
  const uintptr_t pc = HEDDLE_PROGRAM_PC;
  clock_tick();
  simple_point(EventKind::kYield, 0, pc, true);
  record_sync(EventKind::kYield, 0, pc, flag::kPoint);
  return 0;
}
