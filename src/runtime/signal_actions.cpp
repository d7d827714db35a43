#include "runtime/signal_actions.h"
#include "runtime/address_space.h"

#include "runtime/failure.h"
#include "runtime/signal_delivery.h"
#include "runtime/sys.h"

namespace heddle::rt {
namespace {

SignalAction actions[kSignals + 1];
bool action_known[kSignals + 1];
bool any_handlers;

// Written by the kernel's handler, at any moment: made before one is installed.
LazyArray<siginfo_t, kSignals + 1> outside_infos;

HEDDLE_REAL Real<int(int, const struct sigaction*, struct sigaction*)> real_sigaction{"sigaction"};

SignalHandler* const kIgnore = reinterpret_cast<SignalHandler*>(1);  // SIG_IGN

void install(int number, void* handler, int flags, bool blocks_all) {
  struct sigaction action{};
  action.sa_sigaction = reinterpret_cast<void (*)(int, siginfo_t*, void*)>(handler);
  action.sa_flags = flags;
  if (blocks_all) fill_bytes(&action.sa_mask, 0xff, sizeof action.sa_mask);
  InsideScope inside;
  real_sigaction(number, &action, nullptr);
}

}  // namespace

void note_outside_signal(int number, siginfo_t* info, void* context) {
  // The process is ending by itself (abort): nobody comes by to deliver it later.
  if (!rt.active) {
    if (has_handler(number)) actions[number].handler(number, info, context);
    return;
  }
  outside_infos[number] = *info;
  __atomic_fetch_or(&rt.outside_signals, signal_bit(number), __ATOMIC_RELAXED);
}

siginfo_t outside_info(int number) {
  return outside_infos[number];
}

bool is_default(int number) {
  return signal_action(number).handler == nullptr;
}

bool is_ignored(int number) {
  if (signal_action(number).handler == kIgnore) return true;
  return is_default(number) &&
         (number == SIGCHLD || number == SIGURG || number == SIGWINCH || number == SIGCONT);
}

bool has_handler(int number) {
  return !is_default(number) && !is_ignored(number);
}

bool program_has_handlers() {
  return any_handlers;
}

// Faults are handled where they happen.
static bool find_any_handler() {
  for (int number = 1; number <= kSignals; ++number) {
    if (action_known[number] && has_handler(number) && (kFaultSignals & signal_bit(number)) == 0) return true;
  }
  return false;
}

SignalAction signal_action(int number) {
  if (!action_known[number]) {
    struct sigaction inherited{};
    InsideScope inside;
    real_sigaction(number, nullptr, &inherited);
    actions[number] = {inherited.sa_handler == SIG_IGN ? kIgnore : nullptr, 0, 0};
    action_known[number] = true;
  }
  return actions[number];
}

void set_signal_action(int number, const SignalAction& action) {
  actions[number] = action;
  action_known[number] = true;
  any_handlers = find_any_handler();
  const bool fault = (kFaultSignals & signal_bit(number)) != 0;
  if (is_default(number)) {
    if (!install_crash_handler(number)) install(number, nullptr, 0, false);
  } else if (action.handler == kIgnore) {
    install(number, reinterpret_cast<void*>(1), 0, false);
    discard_pending(number);
  } else if (fault) {
    install(number, reinterpret_cast<void*>(&run_fault_handler), SA_SIGINFO | SA_ONSTACK | SA_NODEFER, false);
  } else {
    outside_infos.make();
    const int kept = action.flags & (SA_NOCLDSTOP | SA_NOCLDWAIT);
    install(number, reinterpret_cast<void*>(&note_outside_signal),
            SA_SIGINFO | SA_ONSTACK | SA_RESTART | kept, true);
  }
}

void adopt_signal_actions() {
  for (int number = 1; number <= kSignals; ++number) {
    struct sigaction found{};
    if (real_sigaction(number, nullptr, &found) != 0) continue;
    if (found.sa_handler == SIG_DFL || found.sa_handler == SIG_IGN || is_crash_handler(found)) continue;
    set_signal_action(
        number, {found.sa_sigaction, *reinterpret_cast<const uint64_t*>(&found.sa_mask), found.sa_flags});
  }
}

}  // namespace heddle::rt
