#include "runtime/failure.h"

#include <unwind.h>
#include <cstdio>

#include "runtime/address_space.h"
#include "runtime/explore.h"
#include "runtime/fronts.h"
#include "runtime/recorder.h"
#include "runtime/sys.h"

namespace heddle::rt {
namespace {

using trace::BlockedRecord;
using trace::OutcomeKind;
using trace::WaitKind;

struct EarlyNotify {
  uintptr_t object;
  uintptr_t pc;
  uint32_t thread;
  uint32_t context;
  uint64_t event;
};
inline constexpr size_t kEarlyNotifies = 256;
HEDDLE_WORLD EarlyNotify* early_notifies;
HEDDLE_EXECUTION size_t early_count;

const EarlyNotify* find_early_notify(uintptr_t object) {
  const size_t first = early_count > kEarlyNotifies ? early_count - kEarlyNotifies : 0;
  for (size_t i = early_count; i > first; --i) {
    const EarlyNotify& early = early_notifies[(i - 1) % kEarlyNotifies];
    if (early.object == object) return &early;
  }
  return nullptr;
}

// The thread that must act before `fiber` can go on, if that is one particular thread.
Fiber* holder_of(const Fiber* fiber) {
  if (fiber->op.holder == nullptr) return nullptr;
  const uint32_t holder = fiber->op.holder(fiber->op);
  return holder != 0 ? rt.fibers[holder - 1] : nullptr;
}

const HeldLock* find_held(const Fiber* holder, uintptr_t object) {
  for (size_t i = holder->held_count; i > 0; --i) {
    if (holder->held[i - 1].object == object) return &holder->held[i - 1];
  }
  return nullptr;
}

// True if following the holders from `fiber` leads back to it.
bool in_cycle(const Fiber* fiber) {
  const Fiber* at = fiber;
  for (uint32_t i = 0; i <= rt.live_count; ++i) {
    at = holder_of(at);
    if (at == nullptr) return false;
    if (at == fiber) return true;
  }
  return false;
}

WaitKind current_wait(const Fiber* fiber) {
  if (fiber->parked) return WaitKind::kSpin;
  // Asked of the operation itself: `blocked` only says what the last collection of candidates saw.
  const bool disabled = fiber->op.enabled != nullptr && !fiber->op.enabled(fiber->op);
  return disabled ? fiber->op.wait : WaitKind::kNone;
}

void describe_thread(Fiber* fiber) {
  BlockedRecord record{};
  record.thread = fiber->index;
  record.wait = current_wait(fiber);
  record.site = site_of(fiber->op.pc);
  record.context = context_of(fiber);
  if (record.wait != WaitKind::kNone) {
    if (record.wait != WaitKind::kJoin && fiber->op.object != 0) {
      const Location location = location_of(fiber->op.object);
      record.object = location.object;
      record.offset = location.offset;
    }
    if (Fiber* holder = holder_of(fiber)) {
      record.holder = holder->index + 1;
      if (const HeldLock* held = find_held(holder, fiber->op.object)) {
        record.holder_site = site_of(held->pc);
        record.holder_context = held->context;
      }
      record.in_cycle = in_cycle(fiber) ? 1 : 0;
    }
    if (const EarlyNotify* early = find_early_notify(fiber->op.object)) {
      record.early_notifier = early->thread + 1;
      record.early_site = site_of(early->pc);
      record.early_context = early->context;
      record.early_event = early->event;
    }
  }
  append(trace::TableId::kBlocked, record);
}

// Nothing can run: a cycle, or a lock behind a waiter, is a deadlock. A lost wake-up is a thread waiting for
// a notify that nobody is left to send, with every other thread only waiting for it to end.
OutcomeKind classify_standstill() {
  bool wakeup_lost = false;
  for (uint32_t i = 0; i < rt.live_count; ++i) {
    const Fiber* fiber = rt.live[i];
    switch (fiber->op.wait) {
      case WaitKind::kCond:
        wakeup_lost = true;
        break;
      case WaitKind::kFutex:
        if (find_early_notify(fiber->op.object) == nullptr) return OutcomeKind::kDeadlock;
        wakeup_lost = true;
        break;
      case WaitKind::kJoin:
        if (in_cycle(fiber)) return OutcomeKind::kDeadlock;
        break;
      default:
        return OutcomeKind::kDeadlock;
    }
  }
  return wakeup_lost ? OutcomeKind::kLostWakeup : OutcomeKind::kDeadlock;
}

// Without the tool nobody reads the arena: say the essentials on standard error.
void print_for_drop_in_use() {
  char buffer[2048];
  Text text(buffer, sizeof buffer);
  static const char* const kNames[] = {
#define HEDDLE_X(name, label) label,
      HEDDLE_OUTCOME_KINDS(HEDDLE_X)
#undef HEDDLE_X
  };
  const trace::OutcomeRecord& outcome = rt.arena->outcome;
  text.add("heddle: ").add(kNames[static_cast<uint32_t>(outcome.kind)]).add(" in thread ");
  add_thread_path(rt.fibers[outcome.thread], &text);
  text.add(": ")
      .add(outcome.message)
      .add("\nheddle: run it with `heddle run -- …` for a report and a replayable schedule\n");
  sys_write(2, buffer, text.size());
}

_Unwind_Reason_Code note_frame(_Unwind_Context* context, void* argument) {
  auto* outcome = static_cast<trace::OutcomeRecord*>(argument);
  int before_instruction = 0;
  uintptr_t pc = _Unwind_GetIPInfo(context, &before_instruction);
  if (pc == 0 || outcome->stack_size == trace::kMaxOutcomeStack) return _URC_END_OF_STACK;
  if (before_instruction != 0) {
    pc++;                     // the frame of a fault: the instruction itself, not a return address
    outcome->stack_size = 0;  // what was above it handles the signal
  }
  // Our own frames, at the top, are not the program's.
  if (outcome->stack_size == 0 && own_library.contains(pc)) return _URC_NO_REASON;
  outcome->stack[outcome->stack_size++] = site_of(pc);
  return _URC_NO_REASON;
}

// The machine stack knows what the shadow stack does not: frames of libraries, and the line in each frame.
void walk_stack(trace::OutcomeRecord* outcome) {
  _Unwind_Backtrace(note_frame, outcome);
}

HEDDLE_REAL Real<int(FILE*)> real_fflush{"fflush"};

[[noreturn]] void end_process() {
  stop_if_debugging();
  if (exploring()) abandon_execution();
  rt.inside = true;
  rt.active = false;
  real_fflush(nullptr);
  if (!rt.with_tool) print_for_drop_in_use();
  sys_exit_group(static_cast<int>(options.exitcode));
}

}  // namespace

void stop_if_debugging() {
  if ((rt.request.flags & trace::request_flag::kStopInDebugger) != 0) heddle_stop_here();
}

void add_thread_path(const Fiber* fiber, Text* text) {
  if (fiber->index == 0) {
    text->add("main");
    return;
  }
  add_thread_path(rt.fibers[fiber->parent], text);
  text->add("/").add(fiber->ordinal);
}

bool someone_is_in_cycle() {
  for (uint32_t i = 0; i < rt.live_count; ++i) {
    if (in_cycle(rt.live[i])) return true;
  }
  return false;
}

void describe_failure(const Failure& failure) {
  trace::OutcomeRecord& outcome = rt.arena->outcome;
  // Races are what an execution fails of that does not fail otherwise.
  if (outcome.kind != OutcomeKind::kOk && outcome.kind != OutcomeKind::kRace &&
      outcome.kind != OutcomeKind::kUseAfterFree) {
    return;
  }
  outcome.object = 0;
  outcome.offset = 0;
  Fiber* thread = failure.thread != nullptr ? failure.thread : rt.current;
  outcome.kind = failure.kind;
  outcome.thread = thread->index;
  outcome.signal = failure.signal;
  outcome.steps = rt.steps;
  outcome.fault_address = failure.fault_address;
  outcome.site = site_of(failure.pc != 0 ? failure.pc : thread->op.pc);
  outcome.context = context_of(thread);
  if (failure.object != 0) {
    const Location location = location_of(failure.object);
    outcome.object = location.object;
    outcome.offset = location.offset;
  }
  Text(outcome.message, sizeof outcome.message).add(failure.message);
  for (uint32_t i = 0; i < rt.live_count; ++i) describe_thread(rt.live[i]);
  // Last, since walking a stack that may be damaged can fail: all the rest has been said by then.
  if (failure.walk_stack) walk_stack(&outcome);
}

void fail(const Failure& failure) {
  describe_failure(failure);
  end_process();
}

void fail_deadlock() {
  const OutcomeKind kind = classify_standstill();
  // Tell it from the view of a thread in the cycle, or of the waiter.
  Fiber* thread = rt.current;
  for (uint32_t i = 0; i < rt.live_count; ++i) {
    Fiber* fiber = rt.live[i];
    if (kind == OutcomeKind::kLostWakeup ? fiber->op.wait != WaitKind::kJoin : in_cycle(fiber)) {
      thread = fiber;
      break;
    }
  }
  fail({.kind = kind,
        .message = kind == OutcomeKind::kLostWakeup
                       ? "a thread waits for a notification that nobody is left to send"
                       : "no thread can run any more",
        .thread = thread});
}

void fail_livelock() {
  char message[160];
  Text(message, sizeof message)
      .add("no end after ")
      .add(rt.steps)
      .add(" scheduling steps (raise the limit with --max-steps if the program needs more)");
  fail({.kind = OutcomeKind::kLivelock, .message = message});
}

void fail_internal(const char* message) {
  fail({.kind = OutcomeKind::kInternal, .message = message});
}

void end_diverged() {
  rt.arena->outcome.steps = rt.steps;
  end_process();
}

void end_abandoned(trace::Abandoned why) {
  rt.arena->outcome.abandoned = why;
  end_diverged();
}

void forget_early_notifies(uintptr_t object) {
  const size_t used = early_count < kEarlyNotifies ? early_count : kEarlyNotifies;
  for (size_t i = 0; i < used; ++i) {
    if (early_notifies[i].object == object) early_notifies[i].object = 0;
  }
}

void note_early_notify(uintptr_t object, uintptr_t pc) {
  if (early_notifies == nullptr) {
    early_notifies = static_cast<EarlyNotify*>(own_memory(kEarlyNotifies * sizeof(EarlyNotify)));
  }
  const uint64_t events = descriptor(trace::TableId::kEvents).count;  // the notify is the last one
  early_notifies[early_count++ % kEarlyNotifies] = {object, pc, rt.current->index, recorded_context(),
                                                    events != 0 ? events - 1 : 0};
}

}  // namespace heddle::rt

// A place for debuggers to stop at: a replay in one of them ends here when the failure is not a signal.
HEDDLE_EXPORT __attribute__((noinline)) void heddle_stop_here() {
  asm volatile("int3");
}
