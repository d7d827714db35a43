// What the events tell about a thread that waits for ever to be woken: what it looked at before it waited,
// whether that has changed since, and where the last notify went.
//
// A waiter whose view is out of date has missed a wake-up; one whose view still holds is idle, and waits for
// something that has not happened. That tells the victim of a lost wake-up from the bystanders that wait on
// the same condition.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "report/story.h"
#include "trace/trace.h"

namespace heddle {

// A location that the waiter read before it waited and that another thread wrote after that. Both are numbers
// of events.
struct StaleView {
  uint64_t read = 0;
  uint64_t written = 0;
};

// What became of a thread that a notify woke.
enum class AfterWake {
  kWaitedAgain,  // on the same object, and changed nothing: the wake-up was not for it
  kWentOn,
  kEnded,
};

struct WokenThread {
  uint32_t thread = 0;
  uint64_t wake = 0;  // number of the event
  AfterWake then = AfterWake::kWentOn;
};

struct LastNotify {
  uint64_t event = 0;
  bool before_wait = false;  // it came too early: the waiter did not wait yet
  // In the order in which they woke up. More than the notify woke, if its thread had just notified before:
  // then the events do not tell which of these notifies woke whom.
  std::vector<WokenThread> woken;
};

enum class WaitVerdict {
  kMissed,   // what it waited for has happened, or a notify came before it waited without looking
  kUnknown,  // it looked at nothing that the trace shows, and nobody notified it
  kIdle,     // nothing that it looked at has changed since
};

struct WaitHistory {
  std::optional<uint64_t> wait;       // number of the event with which the wait began, if it was kept
  std::optional<StaleView> stale;     // the change that the waiter has missed, the latest of them
  std::optional<LastNotify> notify;   // after that change if there was one, else the last at all
  bool notify_before_change = false;  // it is older than the change, so it cannot have announced it
  WaitVerdict verdict = WaitVerdict::kUnknown;
};

// `blocked` is a record of `trace` that waits on a condition variable or a futex.
WaitHistory find_wait_history(const trace::Trace& trace, const trace::BlockedRecord& blocked);

}  // namespace heddle
