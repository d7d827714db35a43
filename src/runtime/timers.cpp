#include "runtime/timers.h"

#include "runtime/address_space.h"
#include "runtime/io.h"
#include "runtime/signal_delivery.h"
#include "runtime/sync.h"
#include "runtime/threads.h"

namespace heddle::rt {
namespace {

using trace::EventKind;
namespace flag = trace::event_flag;

HEDDLE_WORLD Timer* timers;
HEDDLE_EXECUTION Fiber* service;

uint64_t earliest() {
  uint64_t result = 0;
  for (const Timer* timer = timers; timer != nullptr; timer = timer->next) {
    if (timer->expiry != 0 && (result == 0 || timer->expiry < result)) result = timer->expiry;
  }
  return result;
}

// The timer may be gone or changed when the thread runs.
struct Notification {
  void (*function)(sigval);
  sigval value;
};
FreeList<Notification> notifications;

void* run_notification(void* argument) {
  auto* notification = static_cast<Notification*>(argument);
  const Notification due = *notification;
  notifications.give_back(notification);
  due.function(due.value);
  return nullptr;
}

void expire(Timer* timer) {
  uint64_t times = 1;
  if (timer->interval == 0) {
    timer->expiry = 0;
  } else {
    times += (rt.clock - timer->expiry) / timer->interval;
    timer->expiry += times * timer->interval;
  }
  timer->overrun = static_cast<uint32_t>(times - 1);
  if (timer->descriptor >= 0) {
    sys_call(SYS_write, timer->descriptor, address_of(&times), sizeof times);
    io_happened();
  } else if (timer->function != nullptr) {
    Notification* const notification = notifications.take();
    *notification = {timer->function, timer->info.si_value};
    start_detached_thread(run_notification, notification);
  } else if (timer->info.si_signo != 0) {
    record_sync(EventKind::kSignalSend, 0, 0, 0, timer->target != nullptr ? timer->target->index + 1 : 0);
    timer->info.si_overrun = static_cast<int>(timer->overrun);
    send_signal(timer->target, timer->info);
  }
}

// The service's next step: at the next expiry, or to end.
Op next_op() {
  Op op;
  op.kind = EventKind::kSleep;
  op.wait = trace::WaitKind::kSleep;
  op.deadline = rt.timer_deadline = earliest();
  op.enabled = op.deadline != 0 ? never : nullptr;
  op.on_signal = OnSignal::kDefer;
  return op;
}

void serve_timers() {
  for (;;) {
    point(next_op());
    record_sync(EventKind::kSleep, 0, 0, flag::kPoint);
    for (Timer* timer = timers; timer != nullptr; timer = timer->next) {
      if (timer->expiry != 0 && timer->expiry <= rt.clock) expire(timer);
    }
    if (earliest() != 0) continue;
    rt.timer_deadline = 0;
    service = nullptr;
    end_service_thread();
  }
}

void reschedule() {
  if (service == nullptr) {
    if (earliest() == 0) return;
    service = start_service_thread(serve_timers, "timers");
  }
  // The service waits in point(): what it waits for changes under its feet.
  if (service == rt.current) return;
  service->op = next_op();
  if (service->blocked) {
    service->blocked = false;
    rt.blocked_count--;
  }
}

}  // namespace

Timer* timer_new(clockid_t clock) {
  Timer* timer = timers;
  while (timer != nullptr && timer->used) timer = timer->next;
  if (timer == nullptr) {
    timer = static_cast<Timer*>(own_memory(sizeof(Timer)));
    timer->next = timers;
    timers = timer;
  }
  Timer* const next = timer->next;
  *timer = {};
  timer->next = next;
  timer->used = true;
  timer->clock = clock;
  timer->descriptor = -1;
  return timer;
}

void timer_arm(Timer* timer, uint64_t first, uint64_t interval) {
  timer->expiry = first;
  timer->interval = interval;
  reschedule();
}

void timer_free(Timer* timer) {
  timer->expiry = 0;
  timer->used = false;
  timer->descriptor = -1;
  reschedule();
}

Timer* timer_of_descriptor(int fd) {
  for (Timer* timer = timers; timer != nullptr; timer = timer->next) {
    if (timer->used && timer->descriptor == fd) return timer;
  }
  return nullptr;
}

void timers_forget() {
  for (Timer* timer = timers; timer != nullptr; timer = timer->next) timer->expiry = 0;
  service = nullptr;
  rt.timer_deadline = 0;
}

void timers_begin_execution() {
  for (Timer* timer = timers; timer != nullptr; timer = timer->next) {
    timer->expiry = 0;
    if (timer->descriptor < 0) timer->used = false;  // descriptors stay open
  }
}

}  // namespace heddle::rt
