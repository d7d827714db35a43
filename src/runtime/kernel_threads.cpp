#include "runtime/kernel_threads.h"

#include <fcntl.h>
#include <sched.h>
#include <csignal>

#include "runtime/failure.h"
#include "runtime/signal_delivery.h"
#include "runtime/sync.h"

// switch.S: clone with these flags. In the new thread, which starts on `stack`, it calls
// heddle_await_first_turn(fiber) and then continues the fiber as heddle_switch would.
extern "C" long heddle_clone(heddle::rt::Fiber* fiber, long flags, uintptr_t stack, pid_t* tid,
                             uintptr_t fs_base);

namespace heddle::rt {
namespace {

inline constexpr long kThreadFlags =
    CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD | CLONE_SYSVSEM | CLONE_SETTLS;

// All but the one by which glibc's setuid and the like ask every thread to change its own credentials.
inline constexpr int kSetCredentials = 33;  // SIGSETXID, glibc's second internal signal
const uint64_t kWaitingMask = ~signal_bit(kSetCredentials);

void block_signals() {
  sys_call(SYS_rt_sigprocmask, SIG_SETMASK, address_of(&kWaitingMask), 0, 8);
}

void wait_for_turn(Fiber* fiber) {
  while (__atomic_exchange_n(&fiber->turn, 0, __ATOMIC_ACQUIRE) == 0)
    sys_call(SYS_futex, address_of(&fiber->turn), FUTEX_WAIT_PRIVATE, 0, 0);
}

void give_turn(Fiber* fiber) {
  __atomic_store_n(&fiber->turn, 1, __ATOMIC_RELEASE);
  sys_call(SYS_futex, address_of(&fiber->turn), FUTEX_WAKE_PRIVATE, 1);
}

bool is_main_kernel_thread() {
  return sys_call(SYS_gettid) == sys_call(SYS_getpid);
}

}  // namespace

int start_kernel_thread(Fiber* fiber) {
  // It waits on the stack that it will handle faults on: its own belongs to the fiber.
  fiber->fault_stack = take_fault_stack();
  block_signals();
  const long id = heddle_clone(fiber, kThreadFlags | (fiber->tid != nullptr ? CLONE_PARENT_SETTID : 0),
                               address_of(fiber->fault_stack) + kFaultStackSize, fiber->tid, fiber->fs_base);
  apply_kernel_mask();
  if (id < 0) {
    give_back_fault_stack(fiber->fault_stack);
    return static_cast<int>(-id);
  }
  fiber->kernel_thread = static_cast<pid_t>(id);
  return 0;
}

void pass_turn(Fiber* from, Fiber* to) {
  block_signals();
  from->fault_stack = exchange_fault_stack(to->fault_stack);
  if (from->state == FiberState::kFinished && !is_main_kernel_thread()) {
    give_back_fault_stack(from->fault_stack);
    if (from->tid != nullptr) *from->tid = 0;
    sys_set_and_end_thread(&to->turn);
  }
  give_turn(to);
  wait_for_turn(from);
  apply_kernel_mask();
}

void name_kernel_thread(const Fiber* fiber, const char* name) {
  char path[64];
  Text(path, sizeof path)
      .add("/proc/self/task/")
      .add(static_cast<uint64_t>(fiber->kernel_thread))
      .add("/comm");
  const long fd = sys_call(SYS_open, address_of(path), O_WRONLY | O_CLOEXEC);
  if (fd < 0) return;
  sys_write(static_cast<int>(fd), name, text_length(name));
  sys_call(SYS_close, fd);
}

void name_kernel_thread(const Fiber* fiber) {
  char path[64];
  Text text(path, sizeof path);
  add_thread_path(fiber, &text);
  name_kernel_thread(fiber, path);
}

}  // namespace heddle::rt

extern "C" __attribute__((visibility("hidden"))) void heddle_await_first_turn(heddle::rt::Fiber* fiber) {
  using namespace heddle::rt;
  wait_for_turn(fiber);
  arm_fault_stack(fiber->fault_stack);
  apply_kernel_mask();
}
