#include "runtime/explore_end.h"

#include "runtime/clock.h"
#include "runtime/failure.h"
#include "runtime/recorder.h"
#include "runtime/spin.h"
#include "runtime/sync.h"
#include "runtime/threads.h"

namespace heddle::rt {
namespace {

using trace::EventKind;

bool waits(const Fiber* fiber) {
  return fiber->op.enabled != nullptr && !fiber->op.enabled(fiber->op);
}

// What the other threads can still do. With main out of the way they would do it by themselves, but then
// there would be nobody to see that they can do no more.
struct Others {
  bool can_run;
  bool spin;
  uint64_t deadline;  // the earliest one, or 0
};

Others look_at_others() {
  Others others{};
  for (uint32_t i = 0; i < rt.live_count; ++i) {
    const Fiber* fiber = rt.live[i];
    if (fiber == rt.current || is_service(fiber)) continue;
    const uint64_t deadline = fiber->op.deadline;
    if (fiber->parked)
      others.spin = true;
    else if (!waits(fiber))
      others.can_run = true;
    else if (deadline != 0 && (others.deadline == 0 || deadline < others.deadline))
      others.deadline = deadline;
  }
  return others;
}

void give_way() {
  Op op;
  op.kind = EventKind::kYield;
  op.yields = true;
  point(op);
  record_sync(EventKind::kYield, 0, 0, trace::event_flag::kPoint);
}

void release_spinners() {
  for (uint32_t i = 0; i < rt.live_count; ++i) {
    if (rt.live[i]->parked) spin_release(rt.live[i], SpinEnd::kTrial);
  }
}

void let_others_end() {
  while (rt.live_count > 1) {
    const Others others = look_at_others();
    if (others.can_run) {
      give_way();
    } else if (others.deadline != 0) {
      sleep_until(others.deadline, 0);  // time passes only when nobody can run, main included
    } else if (others.spin) {
      release_spinners();
      give_way();
    } else {
      return;
    }
  }
}

void check_all_joined() {
  for (uint32_t i = 1; i < rt.fiber_count; ++i) {
    const Fiber* fiber = rt.fibers[i];
    const bool ended = fiber->state == FiberState::kFinished;
    if (fiber->detached ? ended : fiber->joined) continue;
    if (is_service(fiber)) continue;
    char message[160];
    Text text(message, sizeof message);
    text.add("the explored function returns, but ");
    add_thread_path(fiber, &text);
    text.add(ended ? " has not been joined" : " is still running");
    describe_failure({.kind = trace::OutcomeKind::kMisuse, .message = message});
    return;
  }
}

}  // namespace

void end_threads_of_body() {
  if (HEDDLE_UNLIKELY(rt.live_count > 1)) let_others_end();
  check_all_joined();
}

RecordEnd end_record() {
  const trace::TableRecord& steps = descriptor(trace::TableId::kSteps);
  trace::TableRecord& input = descriptor(trace::ArenaTableId::kInputSteps);
  RecordEnd end{rt.arena->outcome.kind, rt.steps, steps.count, input.count, {}};
  if (steps.count != 0) end.last_step = table<trace::StepRecord>(trace::TableId::kSteps)[steps.count - 1];
  input.count = 0;
  rt.request.flags = 0;
  rt.request.max_steps = ~uint64_t{0};
  return end;
}

void go_back_to(const RecordEnd& end) {
  rt.request = rt.arena->request;
  rt.steps = rt.arena->outcome.steps = end.steps;
  descriptor(trace::TableId::kSteps).count = end.step_count;
  descriptor(trace::ArenaTableId::kInputSteps).count = end.input_step_count;
  if (end.step_count != 0)
    table<trace::StepRecord>(trace::TableId::kSteps)[end.step_count - 1] = end.last_step;
}

}  // namespace heddle::rt
