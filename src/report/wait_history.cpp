#include "report/wait_history.h"

#include <algorithm>

#include "report/event_facts.h"

namespace heddle {
namespace {

using trace::EventKind;
using trace::EventRecord;

// What a thread looked at before it waited is in the stretch since it last took a lock. A wait through
// library code takes locks of its own in between, so a few stretches without any access are passed over.
constexpr int kMaxStretches = 4;

bool is_wait(EventKind kind) {
  return kind == EventKind::kCondWait || kind == EventKind::kFutexWait;
}

bool is_wake(EventKind kind) {
  return kind == EventKind::kCondWake || kind == EventKind::kFutexAwake;
}

bool is_notify(EventKind kind) {
  return kind == EventKind::kNotifyOne || kind == EventKind::kNotifyAll || kind == EventKind::kFutexWake;
}

bool is_failed(const EventRecord& event) {
  return (event.flags & trace::event_flag::kFailed) != 0;
}

class Historian {
 public:
  Historian(const trace::Trace& trace, const trace::BlockedRecord& blocked)
      : trace_(trace),
        events_(trace.events()),
        waiter_(blocked.thread),
        object_{blocked.object, blocked.offset, 1} {}

  WaitHistory run() {
    WaitHistory history;
    const std::optional<size_t> wait = find_last_wait();
    if (!wait) return history;
    history.wait = number(*wait);
    look_back_from(*wait);
    const std::optional<size_t> change = find_change(history);
    find_notify(*wait, change, history);
    const bool missed_without_looking = seen_.empty() && history.notify && history.notify->before_wait;
    history.verdict = history.stale || missed_without_looking ? WaitVerdict::kMissed
                      : seen_.empty()                         ? WaitVerdict::kUnknown
                                                              : WaitVerdict::kIdle;
    return history;
  }

 private:
  // The last thing that the waiter did to a location before it waited.
  struct Look {
    LocationRange range;
    size_t event = 0;
    bool is_read = false;
  };

  uint64_t number(size_t index) const { return trace_.events_dropped() + index; }

  bool is_on_object(const EventRecord& event) const {
    return event.object != 0 && range_of(event).overlaps(object_);
  }

  std::optional<size_t> find_last_wait() const {
    for (size_t i = events_.size(); i > 0; --i) {
      const EventRecord& event = events_[i - 1];
      if (event.thread == waiter_ && is_wait(event.kind) && is_on_object(event)) return i - 1;
    }
    return std::nullopt;
  }

  void look_back_from(size_t wait) {
    int stretches = 0;
    const size_t end = wait > kReportWindow ? wait - kReportWindow : 0;
    for (size_t i = wait; i > end; --i) {
      const EventRecord& event = events_[i - 1];
      if (event.thread != waiter_) continue;
      if (event.kind == EventKind::kThreadBegin || is_wake(event.kind)) return;
      if (is_acquire(event.kind) && !is_failed(event)) {
        if (!seen_.empty() || ++stretches == kMaxStretches) return;
      }
      if (!is_access(event.kind) || event.object == 0) continue;
      const LocationRange range = range_of(event);
      const bool is_known = std::any_of(seen_.begin(), seen_.end(),
                                        [&](const Look& look) { return look.range.overlaps(range); });
      // What it wrote itself, such as a count of waiters, is no condition that it waits for.
      if (!is_known) seen_.push_back({range, i - 1, !is_write(event.kind) || is_failed(event)});
    }
  }

  // Notes the latest change of what the waiter has seen, and returns its index.
  std::optional<size_t> find_change(WaitHistory& history) {
    std::erase_if(seen_, [](const Look& look) { return !look.is_read; });
    for (size_t i = events_.size(); i > 0; --i) {
      const EventRecord& event = events_[i - 1];
      if (event.thread == waiter_ || !is_write(event.kind) || is_failed(event)) continue;
      for (const Look& look : seen_) {
        if (i - 1 < look.event || !range_of(event).overlaps(look.range)) continue;
        history.stale = StaleView{number(look.event), number(i - 1)};
        return i - 1;
      }
    }
    return std::nullopt;
  }

  void find_notify(size_t wait, std::optional<size_t> change, WaitHistory& history) {
    for (size_t i = events_.size(); i > 0; --i) {
      const EventRecord& event = events_[i - 1];
      if (!is_notify(event.kind) || !is_on_object(event) || is_failed(event)) continue;
      LastNotify notify{number(i - 1), i - 1 < wait, find_woken(i - 1)};
      // One that woke somebody before this thread waited was nothing that it could have missed, unless it
      // announced the change.
      if (!change && notify.before_wait && !notify.woken.empty()) return;
      history.notify_before_change = change && i - 1 < *change;
      history.notify = std::move(notify);
      return;
    }
  }

  // It is the last notify of all, so whoever wakes up after it was woken by it or, if those are more than it
  // woke, by those of the same thread just before it.
  std::vector<WokenThread> find_woken(size_t notify) const {
    std::vector<WokenThread> woken;
    const EventRecord& cause = events_[notify];
    if (cause.peer == 0) return woken;
    for (size_t i = notify + 1; i < events_.size(); ++i) {
      const EventRecord& event = events_[i];
      if (!is_wake(event.kind) || !is_on_object(event) || event.peer != cause.thread + 1) continue;
      woken.push_back({event.thread, number(i), after_wake(i)});
    }
    return woken;
  }

  AfterWake after_wake(size_t wake) const {
    const uint32_t thread = events_[wake].thread;
    bool changed_something = false;
    for (size_t i = wake + 1; i < events_.size(); ++i) {
      const EventRecord& event = events_[i];
      if (event.thread != thread) continue;
      if (is_wait(event.kind) && is_on_object(event) && !changed_something) return AfterWake::kWaitedAgain;
      if (event.kind == EventKind::kThreadEnd) return AfterWake::kEnded;
      if (is_write(event.kind) && !is_failed(event)) changed_something = true;
    }
    return AfterWake::kWentOn;
  }

  const trace::Trace& trace_;
  std::span<const EventRecord> events_;
  uint32_t waiter_;
  LocationRange object_;
  std::vector<Look> seen_;
};

}  // namespace

WaitHistory find_wait_history(const trace::Trace& trace, const trace::BlockedRecord& blocked) {
  return Historian(trace, blocked).run();
}

}  // namespace heddle
