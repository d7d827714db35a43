// What comes to this process as a signal while a program runs: faults, system calls, the clock.
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <ucontext.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>

#include "interact/fast/kernel/calls.h"
#include "interact/fast/kernel/machine.h"
#include "interact/fast/kernel/raw.h"

namespace heddle::fast {

extern "C" {
Machine* heddle_fast_current = nullptr;
}

namespace {

constexpr size_t kHandlerStack = size_t{256} << 10;
constexpr uint64_t kWriteFault = 2;
constexpr uint64_t kFetchFault = 16;
constexpr suseconds_t kTick = 10'000;
constexpr int kOfSeccomp = 1;  // SYS_SECCOMP, which the library does not name

Machine* active_machine() {
  Machine* const machine = heddle_fast_current;
  return machine != nullptr && machine->is_active != 0 ? machine : nullptr;
}

// When the handler returns, the run is over.
void leave_from(ucontext_t* context) {
  context->uc_mcontext.gregs[REG_RIP] = reinterpret_cast<greg_t>(&heddle_fast_leave);
}

void on_fault(int signal, siginfo_t* information, void* state) {
  auto* const context = static_cast<ucontext_t*>(state);
  Machine* const machine = active_machine();
  if (machine == nullptr) {
    // One of this process's own: it happens again, without a handler.
    struct sigaction action = {};
    action.sa_handler = SIG_DFL;
    ::sigaction(signal, &action, nullptr);
    return;
  }
  const auto error = static_cast<uint64_t>(context->uc_mcontext.gregs[REG_ERR]);
  const auto address = reinterpret_cast<uint64_t>(information->si_addr);
  // A wrong address that is no canonical one comes as 0 from the kernel itself.
  const bool is_access = signal == SIGSEGV && information->si_code != SI_KERNEL && (error & kFetchFault) == 0;
  if (is_access && touch(machine, address, (error & kWriteFault) != 0)) return;
  if (machine->is_in_kernel != 0)
    need_process(machine, "it hands a wrong address to the system");
  else if (!has_default_action(*machine, signal))
    need_process(machine, "it handles signals");
  else if (machine->stop == 0)
    end_by_signal(machine, signal);
  leave_from(context);
}

void on_call(int signal, siginfo_t* information, void* state) {
  auto* const context = static_cast<ucontext_t*>(state);
  Machine* const machine = active_machine();
  if (machine == nullptr || information->si_code != kOfSeccomp) {
    on_fault(signal, information, state);
    return;
  }
  greg_t* const registers = context->uc_mcontext.gregs;
  const auto value = [&](int name) { return static_cast<uint64_t>(registers[name]); };
  const CallArguments arguments = {value(REG_R9),  value(REG_R8),  value(REG_R10), value(REG_RDX),
                                   value(REG_RSI), value(REG_RDI), value(REG_RIP)};
  ++machine->traps;
  machine->trap_place = value(REG_RIP);
  machine->is_in_kernel = 1;
  const int64_t result =
      heddle_fast_emulate(machine, &arguments, static_cast<uint64_t>(information->si_syscall));
  if (machine->stop != 0) {
    leave_from(context);
    return;
  }
  machine->is_in_kernel = 0;
  registers[REG_RAX] = result;
}

void on_tick(int /*signal*/, siginfo_t* /*information*/, void* state) {
  Machine* const machine = active_machine();
  if (machine == nullptr) return;
  // The process may have other threads, which get signals of the clock as well.
  if (raw_call(SYS_gettid) != machine->thread) return;
  if (++machine->ticks < machine->most_ticks) return;
  if (machine->stop == 0) {
    machine->stop = static_cast<uint64_t>(Stop::kTime);
    if (machine->calls.has_alarm != 0) {
      machine->reason = "it sets itself an alarm";
      machine->stop = static_cast<uint64_t>(Stop::kNeedsProcess);
    }
  }
  // What a system call changes is to stay whole; the program ends when it returns, or with the next tick.
  if (machine->is_in_kernel == 0) leave_from(static_cast<ucontext_t*>(state));
}

bool handle(int signal, void (*handler)(int, siginfo_t*, void*)) {
  struct sigaction action = {};
  action.sa_sigaction = handler;
  // While a fault is handled there may be another, in what is copied for the program; the clock waits.
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER | SA_RESTART;
  ::sigaddset(&action.sa_mask, SIGPROF);
  return ::sigaction(signal, &action, nullptr) == 0;
}

}  // namespace

bool install_handlers() {
  void* const memory =
      ::mmap(nullptr, kHandlerStack, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return false;
  const stack_t stack = {.ss_sp = memory, .ss_flags = 0, .ss_size = kHandlerStack};
  if (::sigaltstack(&stack, nullptr) != 0) return false;
  constexpr int kFaults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP};
  for (const int signal : kFaults) {
    if (!handle(signal, on_fault)) return false;
  }
  if (!handle(SIGSYS, on_call) || !handle(SIGPROF, on_tick)) return false;
  const itimerval tick = {{0, kTick}, {0, kTick}};
  return ::setitimer(ITIMER_PROF, &tick, nullptr) == 0;
}

bool trap_system_calls() {
  // By the upper half of the instruction's address, which tells zones from all else.
  constexpr uint32_t kFirst = static_cast<uint32_t>(kFirstZone >> 32);
  constexpr uint32_t kEnd = static_cast<uint32_t>((kFirstZone + kMostZones * kZoneSize) >> 32);
  constexpr uint32_t kUpperHalf = offsetof(seccomp_data, instruction_pointer) + 4;
  sock_filter filter[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, kUpperHalf),  BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, kFirst, 0, 2),
      BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, kEnd, 1, 0), BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRAP),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  const sock_fprog program = {.len = static_cast<unsigned short>(sizeof(filter) / sizeof(filter[0])),
                              .filter = filter};
  return ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
         ::syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program) == 0;
}

}  // namespace heddle::fast
