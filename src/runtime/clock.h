// Virtual time: clocks stand still but for sleeps, timed waits and a little progress at each reading.
#pragma once

#include <ctime>

#include "runtime/runtime.h"

namespace heddle::rt {

// The virtual time at which an absolute time of the given clock is reached; at least 1, so that it is a
// deadline.
uint64_t deadline_at(clockid_t clock, const timespec* time);
uint64_t deadline_after(const timespec* duration);
inline bool valid_time(const timespec* time) {
  return time->tv_nsec >= 0 && time->tv_nsec < 1000000000;
}
// A thread that waits by yielding or reading the clock lets time pass.
void clock_tick();
// Sleeps until the deadline; false if a signal handler ended it.
bool sleep_until(uint64_t deadline, uintptr_t pc);

}  // namespace heddle::rt
