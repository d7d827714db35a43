// What the program wants done about each signal, and what the kernel is told instead: see signal_delivery.h.
#pragma once

#include <csignal>

#include "runtime/runtime.h"

namespace heddle::rt {

inline constexpr int kSignals = 64;
constexpr uint64_t signal_bit(int number) {
  return uint64_t{1} << (number - 1);
}
// Faults come at an instruction; blocked in the kernel they would kill the process without a word.
inline constexpr uint64_t kFaultSignals = signal_bit(SIGSEGV) | signal_bit(SIGBUS) | signal_bit(SIGFPE) |
                                          signal_bit(SIGILL) | signal_bit(SIGTRAP) | signal_bit(SIGSYS);

using SignalHandler = void(int, siginfo_t*, void*);
// What the program asked for with sigaction.
struct SignalAction {
  SignalHandler* handler;  // or SIG_DFL, SIG_IGN
  uint64_t mask;
  int flags;
};
SignalAction signal_action(int number);
void set_signal_action(int number, const SignalAction& action);
// Takes over the handlers that the constructors of the program's libraries have installed with the kernel.
void adopt_signal_actions();

bool is_default(int number);
bool is_ignored(int number);  // also by default
bool has_handler(int number);
// The program has ever set a handler, other than for faults.
bool program_has_handlers();

// The kernel's handler of all signals that the program handles, but for faults.
void note_outside_signal(int number, siginfo_t* info, void* context);
siginfo_t outside_info(int number);

}  // namespace heddle::rt
