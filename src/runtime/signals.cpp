// How a program ends badly by itself: fatal signals, abort, failed assertions, uncaught exceptions, exit.
#include <cxxabi.h>
#include <ucontext.h>
#include <cerrno>
#include <csignal>
#include <cstdlib>

#include "runtime/address_space.h"
#include "runtime/drop_in.h"
#include "runtime/explore.h"
#include "runtime/sync.h"
#include "runtime/threads.h"

namespace heddle::rt {
namespace {

using trace::EventKind;
using trace::OutcomeKind;

inline constexpr int kFatalSignals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGSYS, SIGTRAP};

HEDDLE_REAL Real<int(int, const struct sigaction*, struct sigaction*)> real_sigaction{"sigaction"};

const char* signal_name(int number) {
  switch (number) {
    case SIGSEGV:
      return "SIGSEGV: access to memory that is not there or may not be written";
    case SIGBUS:
      return "SIGBUS: access beyond the end of a mapped file, or misaligned";
    case SIGFPE:
      return "SIGFPE: integer division by zero or overflow";
    case SIGILL:
      return "SIGILL: illegal instruction";
    case SIGABRT:
      return "SIGABRT: abort";
    case SIGSYS:
      return "SIGSYS: bad system call";
    default:
      return "SIGTRAP: trap instruction";
  }
}

// The signal stays fatal: it is described here, then the default action takes its course.
void on_fatal_signal(int number, siginfo_t* info, void* context) {
  const auto* machine = static_cast<ucontext_t*>(context);
  struct sigaction standard{};
  standard.sa_handler = SIG_DFL;
  real_sigaction(number, &standard, nullptr);
  if (rt.active && rt.current != nullptr) {
    const bool sent = info->si_code <= 0;  // by kill, tgkill or abort, not by an instruction
    const auto pc = static_cast<uintptr_t>(machine->uc_mcontext.gregs[REG_RIP]);
    rt.inside = true;
    describe_failure({.kind = OutcomeKind::kCrash,
                      .message = signal_name(number),
                      .pc = pc + 1,  // sites are return addresses; this is the instruction itself
                      .signal = number,
                      .fault_address = sent ? 0 : address_of(info->si_addr),
                      .walk_stack = true});
    if (exploring()) report_before_death();
    rt.active = false;
  }
  if (info->si_code <= 0) {
    sys_call(SYS_tgkill, sys_call(SYS_getpid), sys_call(SYS_gettid), number);
  }
}

// The exception being handled when std::terminate was called, if any; found without linking a C++ library.
struct Thrown {
  const char* type = nullptr;  // mangled
  const char* what = nullptr;
};

Thrown current_exception() {
  static HEDDLE_REAL Real<std::type_info*()> current_type{"__cxa_current_exception_type"};
  Thrown thrown;
  if (!current_type.exists()) return thrown;
  const void* type = current_type();
  if (type == nullptr) return thrown;
  // std::type_info: a vtable pointer, then the name ('*' marks names compared by address).
  const char* name = static_cast<const char* const*>(type)[1];
  thrown.type = *name == '*' ? name + 1 : name;

  // Itanium C++ ABI: __cxa_eh_globals starts with the stack of caught exceptions, whose header ends in the
  // unwind header, after which comes the object. Ask std::exception's type_info whether it can catch it.
  static HEDDLE_REAL Real<void**()> get_globals{"__cxa_get_globals"};
  static HEDDLE_REAL Real<char> exception_type{"_ZTISt9exception"};
  if (!get_globals.exists() || !exception_type.exists()) return thrown;
  void* header = get_globals()[0];
  if (header == nullptr) return thrown;
  constexpr size_t kHeaderSize = 112;  // sizeof(__cxa_exception): the object follows it
  constexpr size_t kClassOffset = 80;  // of unwindHeader.exception_class; 1 in its low byte: a rethrown copy
  void* object = static_cast<char*>(header) + kHeaderSize;
  const uint64_t exception_class = *reinterpret_cast<uint64_t*>(static_cast<char*>(header) + kClassOffset);
  if ((exception_class & 0xff) != 0) object = *static_cast<void**>(header);
  using DoCatch = bool(const void* self, const void* thrown_type, void** object, unsigned outer);
  constexpr size_t kDoCatchSlot = 4;
  void** const* catcher = reinterpret_cast<void** const*>(exception_type.get());
  auto* do_catch = reinterpret_cast<DoCatch*>((*catcher)[kDoCatchSlot]);
  if (!do_catch(catcher, type, &object, 1)) return thrown;
  using What = const char*(const void* self);
  constexpr size_t kWhatSlot = 2;
  auto* what = reinterpret_cast<What*>((*static_cast<void***>(object))[kWhatSlot]);
  thrown.what = what(object);
  return thrown;
}

[[noreturn]] void die_by_abort() {
  rt.active = false;
  static HEDDLE_REAL Real<void()> real_abort{"abort"};
  real_abort();
  __builtin_unreachable();
}

}  // namespace

// With SS_AUTODISARM the kernel puts the stack aside while a handler runs on it and takes it up again when
// that handler returns, so another can be used in between.
namespace {
inline constexpr unsigned kAutoDisarm = 1u << 31;
struct FaultStack {
  FaultStack* next;
};
void* armed_stack;  // of the kernel thread that runs
FaultStack* free_stacks;

}  // namespace

void* take_fault_stack() {
  FaultStack* stack = free_stacks;
  if (stack == nullptr) return own_memory(kFaultStackSize);
  free_stacks = stack->next;
  return stack;
}

void give_back_fault_stack(void* memory) {
  auto* stack = static_cast<FaultStack*>(memory);
  stack->next = free_stacks;
  free_stacks = stack;
}

void arm_fault_stack(void* memory) {
  armed_stack = memory;
  stack_t stack{};
  stack.ss_sp = memory;
  stack.ss_size = kFaultStackSize - kFaultStackReserve;
  stack.ss_flags = static_cast<int>(kAutoDisarm);
  sys_call(SYS_sigaltstack, address_of(&stack), 0);
}

void* exchange_fault_stack(void* memory) {
  void* const before = armed_stack;
  armed_stack = memory;
  return before;
}

bool install_crash_handler(int number) {
  // A program under a debugger wants the traps itself.
  if (number == SIGTRAP && (rt.request.flags & trace::request_flag::kStopInDebugger) != 0) return false;
  for (const int fatal : kFatalSignals) {
    if (fatal != number) continue;
    struct sigaction action{};
    action.sa_sigaction = on_fatal_signal;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
    InsideScope inside;
    real_sigaction(number, &action, nullptr);
    return true;
  }
  return false;
}

bool is_crash_handler(const struct sigaction& action) {
  return action.sa_sigaction == on_fatal_signal;
}

void install_crash_handlers() {
  arm_fault_stack(take_fault_stack());
  for (const int number : kFatalSignals) {
    struct sigaction before{};
    real_sigaction(number, nullptr, &before);
    if (before.sa_handler == SIG_DFL) install_crash_handler(number);
  }
}

}  // namespace heddle::rt

using namespace heddle::rt;

HEDDLE_EXPORT void __assert_fail(const char* assertion, const char* file, unsigned line,
                                 const char* function) {
  static HEDDLE_REAL Real<void(const char*, const char*, unsigned, const char*)> real_assert{"__assert_fail"};
  if (controlled()) {
    char message[512];
    Text(message, sizeof message)
        .add(file)
        .add(":")
        .add(line)
        .add(": ")
        .add(function)
        .add(": `")
        .add(assertion)
        .add("' failed");
    describe_failure({.kind = OutcomeKind::kAssertion,
                      .message = message,
                      .pc = HEDDLE_CALLER_PC,
                      .signal = SIGABRT,
                      .walk_stack = true});
    stop_if_debugging();
    if (exploring()) abandon_execution();
    rt.active = false;
  }
  real_assert(assertion, file, line, function);
  __builtin_unreachable();
}

HEDDLE_EXPORT void abort() {
  if (controlled()) {
    const Thrown thrown = current_exception();
    char message[512];
    Text text(message, sizeof message);
    if (thrown.type != nullptr) {
      text.add(thrown.type);
      if (thrown.what != nullptr) text.add(": ").add(thrown.what);
    } else {
      text.add("abort was called");
    }
    describe_failure({.kind = thrown.type != nullptr ? OutcomeKind::kException : OutcomeKind::kCrash,
                      .message = message,
                      .pc = HEDDLE_CALLER_PC,
                      .signal = SIGABRT,
                      .walk_stack = true});
    stop_if_debugging();
    if (exploring()) abandon_execution();
  }
  die_by_abort();
}

// The end of the process is an operation like any other: the other threads may do something before it. There
// are two such moments: before the exit handlers and static destructors run, and after.
namespace {

void exit_point(int code, uintptr_t pc) {
  const bool others = rt.live_count > 1;
  if (others) simple_point(EventKind::kExit, 0, pc);
  record_event({.kind = EventKind::kExit,
                .pc = pc,
                .size_or_peer = static_cast<uint32_t>(code),
                .flags = others ? heddle::trace::event_flag::kPoint : uint16_t{0}});
  if (exploring()) fail_misuse("ends the process inside of heddle::explore()", 0, pc);
}

HEDDLE_REAL Real<int(void (*)(void*), void*, void*)> real_cxa_atexit{"__cxa_atexit"};

}  // namespace

namespace heddle::rt {
void exit_point_after_handlers() {
  if (controlled() && rt.live_count > 1) simple_point(EventKind::kExit, 0, 0);
}
}  // namespace heddle::rt

HEDDLE_EXPORT void exit(int code) {
  static HEDDLE_REAL Real<void(int)> real_exit{"exit"};
  if (controlled() && !rt.exiting) {
    exit_point(code, HEDDLE_PROGRAM_PC);
    rt.exiting = true;
    rt.exit_code = code;
  }
  real_exit(code);
  __builtin_unreachable();
}

HEDDLE_EXPORT void _exit(int code) {
  if (controlled()) exit_point(code, HEDDLE_PROGRAM_PC);
  sys_exit_group(rt.with_tool ? code : drop_in_exit_code(code));
}
HEDDLE_EXPORT void _Exit(int code) __attribute__((alias("_exit")));

HEDDLE_EXPORT void quick_exit(int code) {
  static HEDDLE_REAL Real<void(int)> real_quick_exit{"quick_exit"};
  if (controlled()) exit_point(code, HEDDLE_PROGRAM_PC);
  real_quick_exit(code);
  __builtin_unreachable();
}

// Lives in the static part of libc, unless a sanitizer's runtime is linked, which takes it over.
HEDDLE_EXPORT int atexit(void (*handler)()) {
  return real_cxa_atexit(reinterpret_cast<void (*)(void*)>(handler), nullptr, nullptr);
}
