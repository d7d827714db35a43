#include "runtime/signal_delivery.h"

#include <ucontext.h>
#include <cerrno>

#include "runtime/address_space.h"
#include "runtime/cancel.h"
#include "runtime/explore.h"
#include "runtime/failure.h"
#include "runtime/sync.h"

namespace heddle::rt {
namespace {

using trace::EventKind;
namespace flag = trace::event_flag;

inline constexpr uint64_t kUnblockable = uint64_t{1} << (SIGKILL - 1) | uint64_t{1} << (SIGSTOP - 1);
uint64_t current_kernel_mask;
uint64_t signalfd_mask;
HEDDLE_EXECUTION uint64_t kept_by_kernel;  // sent by this execution to itself, when all threads blocked them

// Signals sent to threads, in the order in which they were sent.
struct Pending {
  Pending* next;
  Fiber* target;
  siginfo_t info;
};
HEDDLE_WORLD Pending* first_pending;
Pending* free_pending;

bool stops(int number) {
  return number == SIGSTOP || number == SIGTSTP || number == SIGTTIN || number == SIGTTOU;
}

// Of the signals that end a process without a fault, those that mostly come from a person or a supervisor.
// The tool takes them for that unless it is told otherwise.
const char* own_end(int number) {
  switch (number) {
    case SIGKILL:
      return "SIGKILL, which the program sent itself";
    case SIGTERM:
      return "SIGTERM, which the program sent itself";
    case SIGINT:
      return "SIGINT, which the program sent itself";
    case SIGHUP:
      return "SIGHUP, which the program sent itself";
    default:
      return nullptr;
  }
}

bool is_own(const siginfo_t& info) {
  const bool is_sent = info.si_code == SI_USER || info.si_code == SI_TKILL || info.si_code == SI_QUEUE;
  return is_sent && info.si_pid == sys_call(SYS_getpid);
}

// The default action is the kernel's business: it comes to us once more only to be described, if it is a
// crash.
void act_by_default(int number, const siginfo_t& info) {
  if (const char* message = own_end(number); message != nullptr && is_own(info)) {
    describe_failure(
        {.kind = trace::OutcomeKind::kCrash, .message = message, .signal = number, .walk_stack = true});
    stop_if_debugging();
    if (exploring()) abandon_execution();
  }
  if (!stops(number)) {
    const uint64_t mask = current_kernel_mask & ~signal_bit(number);
    sys_call(SYS_rt_sigprocmask, SIG_SETMASK, address_of(&mask), 0, 8);
  }
  sys_call(SYS_tgkill, sys_call(SYS_getpid), sys_call(SYS_gettid), number);
  update_kernel_mask();
}

void look_again(Fiber* fiber) {
  if (fiber->blocked && (is_interrupted(fiber) || fiber->op.wait == trace::WaitKind::kSignal)) {
    fiber->blocked = false;
    rt.blocked_count--;
  }
  if (fiber->interruptions != 0) spin_release(fiber, SpinEnd::kProgress);
}

void update_interruptions(Fiber* fiber) {
  const uint64_t deliverable = fiber->signals_pending & ~fiber->signal_mask;
  if (deliverable != 0)
    fiber->interruptions |= interruption::kSignal;
  else
    fiber->interruptions &= static_cast<uint8_t>(~interruption::kSignal);
  look_again(fiber);
}

void enqueue(Fiber* target, const siginfo_t& info) {
  const uint64_t bit = signal_bit(info.si_signo);
  if (info.si_signo < SIGRTMIN && (target->signals_pending & bit) != 0) return;  // they do not queue
  if (free_pending == nullptr) {
    constexpr size_t kBatch = 16;
    auto* fresh = static_cast<Pending*>(own_memory(kBatch * sizeof(Pending)));
    for (size_t i = 0; i < kBatch; ++i) {
      fresh[i].next = free_pending;
      free_pending = &fresh[i];
    }
  }
  Pending* entry = free_pending;
  free_pending = entry->next;
  entry->next = nullptr;
  entry->target = target;
  entry->info = info;
  Pending** end = &first_pending;
  while (*end != nullptr) end = &(*end)->next;
  *end = entry;
  target->signals_pending |= bit;
  update_interruptions(target);
}

// The first signal in `mask` that is pending for the thread: the lowest number, then the oldest.
int dequeue(Fiber* target, uint64_t mask, siginfo_t* info) {
  const uint64_t wanted = target->signals_pending & mask;
  if (wanted == 0) return 0;
  const int number = __builtin_ctzll(wanted) + 1;
  Pending** found = nullptr;
  bool more = false;
  for (Pending** at = &first_pending; *at != nullptr; at = &(*at)->next) {
    if ((*at)->target != target || (*at)->info.si_signo != number) continue;
    if (found == nullptr)
      found = at;
    else
      more = true;
  }
  if (!more) target->signals_pending &= ~signal_bit(number);
  if (found != nullptr) {
    Pending* entry = *found;
    *info = entry->info;
    *found = entry->next;
    entry->next = free_pending;
    free_pending = entry;
  }
  update_interruptions(target);
  return number;
}

// The thread that takes a signal sent to the process, as the kernel chooses: main if it can.
Fiber* receiver(int number) {
  const uint64_t bit = signal_bit(number);
  for (uint32_t i = 0; i < rt.live_count; ++i) {
    if ((rt.live[i]->signals_awaited & bit) != 0) return rt.live[i];
  }
  for (uint32_t i = 0; i < rt.live_count; ++i) {
    if ((rt.live[i]->signal_mask & bit) == 0) return rt.live[i];
  }
  return nullptr;
}

// Calls a handler on another stack.
extern "C" void heddle_call_on_stack(void (*handler)(int, siginfo_t*, void*), int number, siginfo_t* info,
                                     void* context, uintptr_t stack_top);
asm(R"(
.text
.p2align 4
.globl heddle_call_on_stack
.hidden heddle_call_on_stack
.type heddle_call_on_stack, @function
heddle_call_on_stack:
  .cfi_startproc
  pushq %rbp
  .cfi_def_cfa_offset 16
  .cfi_offset %rbp, -16
  movq %rsp, %rbp
  .cfi_def_cfa_register %rbp
  movq %rdi, %rax
  movl %esi, %edi
  movq %rdx, %rsi
  movq %rcx, %rdx
  movq %r8, %rsp
  andq $-16, %rsp
  call *%rax
  leave
  .cfi_def_cfa %rsp, 8
  ret
  .cfi_endproc
.size heddle_call_on_stack, .-heddle_call_on_stack
)");

void call_handler(const SignalAction& action, int number, siginfo_t* info, void* context) {
  const Fiber* self = rt.current;
  const auto sp = reinterpret_cast<uintptr_t>(__builtin_frame_address(0));
  const bool on_it = sp - self->alt_stack < self->alt_stack_size;
  if ((action.flags & SA_ONSTACK) != 0 && self->alt_stack_size != 0 && !on_it) {
    heddle_call_on_stack(action.handler, number, info, context, self->alt_stack + self->alt_stack_size);
  } else {
    action.handler(number, info, context);
  }
}

// Runs the program's handler with the mask that it asked for.
void run_handler(int number, siginfo_t* info, uint16_t flags) {
  Fiber* self = rt.current;
  const SignalAction action = signal_action(number);
  order_sync(EventKind::kSignal, 0, 0);
  record_event({.kind = EventKind::kSignal,
                .pc = self->op.pc,
                .size_or_peer = static_cast<uint32_t>(number),
                .flags = flags});
  if ((action.flags & SA_RESETHAND) != 0) set_signal_action(number, {nullptr, 0, 0});
  const uint64_t before = self->signal_mask;
  const uint64_t own = (action.flags & SA_NODEFER) == 0 ? signal_bit(number) : 0;
  self->signal_mask |= action.mask | own;
  update_interruptions(self);
  ucontext_t context{};
  context.uc_mcontext.gregs[REG_RIP] = static_cast<greg_t>(self->op.pc);
  context.uc_mcontext.gregs[REG_RSP] = reinterpret_cast<greg_t>(__builtin_frame_address(0));
  *reinterpret_cast<uint64_t*>(&context.uc_sigmask) = before;
  call_handler(action, number, info, &context);
  self->signal_mask = before;
  update_interruptions(self);
}

struct Delivered {
  bool any;
  bool restart;  // all of them had SA_RESTART
};

// What another thread has told the waiter must outlast the handlers, which may wait themselves.
Delivered deliver(uint16_t first_flags) {
  Fiber* self = rt.current;
  const bool signalled = self->signalled;
  const uint32_t woken_by = self->woken_by;
  const Op op = self->op;
  Delivered delivered{false, true};
  siginfo_t info{};
  while (const int number = dequeue(self, ~self->signal_mask, &info)) {
    if (!has_handler(number)) {
      if (!is_ignored(number)) act_by_default(number, info);
      continue;
    }
    if ((signal_action(number).flags & SA_RESTART) == 0) delivered.restart = false;
    run_handler(number, &info, delivered.any ? 0 : first_flags);
    delivered.any = true;
  }
  self->signalled = signalled;
  self->woken_by = woken_by;
  self->op = op;
  return delivered;
}

}  // namespace

PointResult attend_to_interruption() {
  Fiber* self = rt.current;
  const Op op = self->op;
  const bool could_go_on = op.enabled == nullptr || op.enabled(op);
  const Delivered delivered = deliver(flag::kPoint);
  if ((self->interruptions & interruption::kCancelNow) != 0) act_on_cancel();
  if ((self->interruptions & interruption::kCancel) != 0 && op.cancels) return PointResult::kInterrupted;
  if (delivered.any && !could_go_on) {
    if (op.on_signal == OnSignal::kReturn) return PointResult::kInterrupted;
    if (op.on_signal == OnSignal::kRestart && !delivered.restart) return PointResult::kInterrupted;
  }
  return point(op);
}

siginfo_t own_siginfo(int number, int code) {
  siginfo_t info{};
  info.si_signo = number;
  info.si_code = code;
  info.si_pid = static_cast<pid_t>(sys_call(SYS_getpid));
  info.si_uid = static_cast<uid_t>(sys_call(SYS_getuid));
  return info;
}

void send_signal(Fiber* target, const siginfo_t& info) {
  const int number = info.si_signo;
  const uint64_t bit = signal_bit(number);
  if (target == nullptr) target = receiver(number);
  const bool blocked = target == nullptr || (target->signal_mask & bit) != 0;
  const bool awaited = target != nullptr && (target->signals_awaited & bit) != 0;
  if (!blocked && !awaited && is_ignored(number)) return;
  if (!awaited && !blocked && is_default(number)) return act_by_default(number, info);
  // Blocked by all: the kernel keeps it, for sigwait and signalfd.
  if ((target == nullptr || (blocked && (signalfd_mask & bit) != 0)) && (current_kernel_mask & bit) != 0) {
    siginfo_t copy = info;
    if (copy.si_code >= 0) copy.si_code = SI_QUEUE;  // what a process may say of itself
    sys_call(SYS_rt_sigqueueinfo, sys_call(SYS_getpid), number, address_of(&copy));
    kept_by_kernel |= bit;
    for (uint32_t i = 0; i < rt.live_count; ++i) look_again(rt.live[i]);
    return;
  }
  // Blocked by all only while a handler runs: main can have it when that ends.
  enqueue(target != nullptr ? target : rt.live[0], info);
}

void deliver_pending_signals() {
  if (HEDDLE_UNLIKELY(rt.outside_signals != 0)) take_outside_signals();
  if ((rt.current->interruptions & interruption::kSignal) != 0) deliver(0);
}

bool take_outside_signals() {
  bool any = false;
  uint64_t came = __atomic_exchange_n(&rt.outside_signals, 0, __ATOMIC_RELAXED);
  while (came != 0) {
    const int number = __builtin_ctzll(came) + 1;
    came &= came - 1;
    const siginfo_t info = outside_info(number);
    // A write to a closed pipe: meant for the thread that wrote.
    send_signal(number == SIGPIPE ? rt.current : nullptr, info);
    any = true;
  }
  return any;
}

uint64_t kernel_mask() {
  return current_kernel_mask;
}

void update_kernel_mask() {
  uint64_t mask = ~uint64_t{0};
  for (uint32_t i = 0; i < rt.live_count; ++i) {
    mask &= rt.live[i]->signal_mask;
  }
  // A thread that waits for a signal takes it from the kernel: it stays blocked there.
  for (uint32_t i = 0; i < rt.live_count; ++i) mask |= rt.live[i]->signals_awaited;
  mask &= ~(kUnblockable | kFaultSignals);
  if (mask == current_kernel_mask) return;
  current_kernel_mask = mask;
  apply_kernel_mask();
}

void apply_kernel_mask() {
  sys_call(SYS_rt_sigprocmask, SIG_SETMASK, address_of(&current_kernel_mask), 0, 8);
}

void restore_signal_mask(uint64_t mask) {
  Fiber* self = rt.current;
  mask &= ~kUnblockable;
  if (mask == self->signal_mask) return;
  self->signal_mask = mask;
  update_kernel_mask();
  update_interruptions(self);
}

void set_signal_mask(uint64_t mask) {
  restore_signal_mask(mask);
  deliver_pending_signals();
}

void signal_window(uintptr_t pc) {
  if (!program_has_handlers() || rt.live_count < 2 || rt.current->mask_is_lent) return;
  simple_point(EventKind::kYield, 0, pc);
  record_sync(EventKind::kYield, 0, pc, flag::kPoint);
}

void signals_begin_execution() {
  uint64_t mask = 0;
  sys_call(SYS_rt_sigprocmask, SIG_SETMASK, 0, address_of(&mask), 8);
  rt.current->signal_mask = mask;
  current_kernel_mask = ~uint64_t{0};  // none that there can be, so that it is set
  update_kernel_mask();
}

void signals_thread_ends(Fiber* fiber) {
  siginfo_t dropped;
  fiber->signals_awaited = 0;
  while (dequeue(fiber, ~uint64_t{0}, &dropped) != 0) {
  }
  fiber->signal_mask = ~uint64_t{0};
  update_kernel_mask();
}

void forget_pending_signals() {
  siginfo_t dropped;
  for (uint32_t i = 0; i < rt.fiber_count; ++i) {
    while (dequeue(rt.fibers[i], ~uint64_t{0}, &dropped) != 0) {
    }
  }
}

void signals_end_execution() {
  if (HEDDLE_UNLIKELY(first_pending != nullptr)) {
    Pending** end = &first_pending;
    while (*end != nullptr) end = &(*end)->next;
    *end = free_pending;
    free_pending = first_pending;
    first_pending = nullptr;
  }
  if (HEDDLE_LIKELY(kept_by_kernel == 0)) return;
  const timespec none{0, 0};
  while (sys_call(SYS_rt_sigtimedwait, address_of(&kept_by_kernel), 0, address_of(&none), 8) > 0) {
  }
}

void discard_pending(int number) {
  siginfo_t dropped;
  for (uint32_t i = 0; i < rt.live_count; ++i) {
    while (dequeue(rt.live[i], signal_bit(number), &dropped) != 0) {
    }
  }
}

void note_signalfd(uint64_t mask) {
  signalfd_mask |= mask;
}

int take_pending(uint64_t mask, siginfo_t* info) {
  if (const int number = dequeue(rt.current, mask, info)) return number;
  timespec none{0, 0};
  const long number =
      sys_call(SYS_rt_sigtimedwait, address_of(&mask), address_of(info), address_of(&none), 8);
  return number > 0 ? static_cast<int>(number) : 0;
}

uint64_t pending_signals() {
  uint64_t with_kernel = 0;
  sys_call(SYS_rt_sigpending, address_of(&with_kernel), 8);
  return with_kernel | rt.current->signals_pending;
}

// The kernel's frame stays on the stack it used while the handler runs, perhaps through many switches, so
// another one is made ready for the next fault. The kernel takes this one up again when the handler returns.
void run_fault_handler(int number, siginfo_t* info, void* context) {
  if (info->si_code <= 0) return note_outside_signal(number, info, context);
  arm_fault_stack(take_fault_stack());
  const SignalAction action = signal_action(number);
  Fiber* self = rt.current;
  const uint64_t before = self->signal_mask;
  self->signal_mask |= action.mask | ((action.flags & SA_NODEFER) == 0 ? signal_bit(number) : 0);
  if ((action.flags & SA_RESETHAND) != 0) set_signal_action(number, {nullptr, 0, 0});
  const auto* machine = static_cast<const ucontext_t*>(context);
  constexpr uintptr_t kRedZone = 128;
  const auto sp = static_cast<uintptr_t>(machine->uc_mcontext.gregs[REG_RSP]);
  const bool on_it = sp - self->alt_stack < self->alt_stack_size;
  const bool own_stack = (action.flags & SA_ONSTACK) == 0 || self->alt_stack_size == 0 || on_it;
  heddle_call_on_stack(action.handler, number, info, context,
                       own_stack ? sp - kRedZone : self->alt_stack + self->alt_stack_size);
  self->signal_mask = before;
  give_back_fault_stack(exchange_fault_stack(machine->uc_stack.ss_sp));
}

}  // namespace heddle::rt
