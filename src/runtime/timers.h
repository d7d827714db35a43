// Timers of the program (timerfd, alarm, setitimer, timer_create), in virtual time.
//
// A thread of the runtime's own sleeps until the earliest of them expires and then does what it asks for. So
// an expiry is a step of the schedule like the end of any sleep, and may come as late as the schedule wants;
// only other timed waits do not overtake it. The thread exists while a timer is armed; the program does not
// see it.
#pragma once

#include <csignal>
#include <ctime>

#include "runtime/runtime.h"

namespace heddle::rt {

struct Timer {
  Timer* next;
  bool used;
  uint64_t expiry;  // virtual time; 0: not armed
  uint64_t interval;
  clockid_t clock;
  int descriptor;            // an eventfd that stands for a timerfd, or -1
  siginfo_t info;            // else the signal that it sends, if si_signo is not 0 …
  Fiber* target;             // … to this thread, or the process
  void (*function)(sigval);  // else what it runs in a new thread
  uint32_t overrun;
};

Timer* timer_new(clockid_t clock);
// first: virtual time, or 0 to stop it.
void timer_arm(Timer* timer, uint64_t first, uint64_t interval);
void timer_free(Timer* timer);
Timer* timer_of_descriptor(int fd);
// Only the forking thread, and no timer, lives on in a child.
void timers_forget();
void timers_begin_execution();

}  // namespace heddle::rt
