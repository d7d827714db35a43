// Failures of the program: recognised, described in the arena, and the end of the execution.
#pragma once

#include <csignal>

#include "runtime/runtime.h"
#include "runtime/sys.h"

namespace heddle::rt {

struct Failure {
  trace::OutcomeKind kind;
  const char* message = "";
  Fiber* thread = nullptr;  // of which it is told; null: the current one
  uintptr_t pc = 0;         // 0: where that thread is
  uintptr_t object = 0;     // what was misused
  int signal = 0;
  uintptr_t fault_address = 0;
  bool walk_stack = false;  // also note the machine stack: the failure is where the current thread is
};

// Describes the failure and the state of every thread; the first description stands.
void describe_failure(const Failure& failure);
// Describes it and ends the process.
[[noreturn]] void fail(const Failure& failure);

// A replay in a debugger stops where the failure is.
void stop_if_debugging();

// No thread can run, and no time-out or outside event can change that.
[[noreturn]] void fail_deadlock();
[[noreturn]] void fail_livelock();
[[noreturn]] void fail_internal(const char* message);
// The given schedule cannot be followed and the tool asked to stop there.
[[noreturn]] void end_diverged();
// What comes is of no interest.
[[noreturn]] void end_abandoned(trace::Abandoned why);

// The program used a synchronisation object in a way that POSIX leaves undefined.
[[noreturn]] inline void fail_misuse(const char* message, uintptr_t object, uintptr_t pc) {
  fail({.kind = trace::OutcomeKind::kMisuse, .message = message, .pc = pc, .object = object});
}

// A notify that found nobody waiting: the likely cause if somebody waits there for ever later.
void note_early_notify(uintptr_t object, uintptr_t pc);
// A later one did wake somebody, so the earlier ones explain nothing any more.
void forget_early_notifies(uintptr_t object);

// Fatal signals and abort (signals.cpp).
void install_crash_handlers();
bool is_crash_handler(const struct sigaction& action);  // ours
// The one for this signal; false if it is no sign of a crash.
bool install_crash_handler(int number);
// Faults are handled on stacks of their own, of which every kernel thread has one armed. A handler of the
// program keeps it while it runs: the next fault needs another.
inline constexpr size_t kFaultStackSize = 64 * 1024;
// At its top, not for handlers: a new kernel thread waits there for its first turn (kernel_threads.cpp), and
// is still there when signals are let in.
inline constexpr size_t kFaultStackReserve = 1024;
void* take_fault_stack();
void give_back_fault_stack(void* memory);
void arm_fault_stack(void* memory);
// Another one is armed now, by the kernel or in the kernel thread that runs next. Returns the one before.
void* exchange_fault_stack(void* memory);

// The name by which reports and schedules know a thread: main/1/2.
void add_thread_path(const Fiber* fiber, Text* text);

// Some threads wait for each other in a circle, whatever the others do.
bool someone_is_in_cycle();
// The last scheduling point of a process that exits, after its exit handlers and static destructors.
void exit_point_after_handlers();

}  // namespace heddle::rt

HEDDLE_EXPORT void heddle_stop_here();
