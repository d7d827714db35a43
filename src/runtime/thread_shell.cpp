#include "runtime/thread_shell.h"

#include <csignal>

#include "runtime/sys.h"

namespace heddle::rt {
namespace {

Real<int(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*)> real_create{"pthread_create"};

inline constexpr uint32_t kMaxReady = 256;
Shell ready_shells[kMaxReady];
uint32_t ready_count;
uint32_t taken_count;

// What is left of the shell thread's own frames stays above the fiber's stack.
inline constexpr uintptr_t kRoomForShellFrames = 1024;

struct Handover {
  Shell* shell;
  uint32_t done;
};

void* shell_main(void* argument) {
  auto* handover = static_cast<Handover*>(argument);
  uintptr_t fs;
  asm volatile("mov %%fs:0, %0" : "=r"(fs));  // the thread block's first word points to itself
  handover->shell->fs_base = fs;
  const auto frame = reinterpret_cast<uintptr_t>(__builtin_frame_address(0));
  handover->shell->stack_top = (frame - kRoomForShellFrames) & ~uintptr_t{63};
  // Without this the kernel would zero the tid in glibc's thread block on exit, and glibc free the stack.
  sys_call(SYS_set_tid_address, 0);
  // From the store on, the stack belongs to the fiber: no stack use until the thread is gone.
  asm volatile(
      "movl $1, (%0)\n\t"
      "movq %0, %%rdi\n\t"
      "movl %1, %%esi\n\t"
      "movl $1, %%edx\n\t"
      "movl %2, %%eax\n\t"
      "syscall\n\t"
      "xorl %%edi, %%edi\n\t"
      "movl %3, %%eax\n\t"
      "syscall\n\t"
      "ud2"
      :
      : "r"(&handover->done), "i"(FUTEX_WAKE), "i"(SYS_futex), "i"(SYS_exit)
      : "rax", "rdi", "rsi", "rdx", "rcx", "r11", "memory");
  __builtin_unreachable();
}

int make_shell(const pthread_attr_t* attributes, Shell* shell) {
  InsideScope inside;
  uint64_t all = ~uint64_t{0};
  uint64_t before = 0;
  sys_call(SYS_rt_sigprocmask, SIG_BLOCK, reinterpret_cast<long>(&all), reinterpret_cast<long>(&before), 8);
  // The handover must outlive the kernel thread's last look at it, so it is not on this stack.
  static Handover handover;
  handover = {shell, 0};
  pthread_t handle;
  int error = real_create(&handle, attributes, shell_main, &handover);
  if (error == 0) {
    while (__atomic_load_n(&handover.done, __ATOMIC_ACQUIRE) == 0) {
      sys_call(SYS_futex, reinterpret_cast<long>(&handover.done), FUTEX_WAIT, 0, 0);
    }
    shell->handle = handle;
    size_t size = 8u << 20;
    if (attributes != nullptr) pthread_attr_getstacksize(attributes, &size);
    shell->stack_low = shell->stack_top - size;
  }
  sys_call(SYS_rt_sigprocmask, SIG_SETMASK, reinterpret_cast<long>(&before), 0, 8);
  return error;
}

bool is_default(const pthread_attr_t* attributes) {
  if (attributes == nullptr) return true;
  void* stack = nullptr;
  size_t size = 0;
  size_t default_size = 0;
  size_t guard = 0;
  pthread_attr_t fresh;
  pthread_attr_init(&fresh);
  pthread_attr_getstacksize(&fresh, &default_size);
  pthread_attr_getstacksize(attributes, &size);
  pthread_attr_getguardsize(attributes, &guard);
  pthread_attr_getstack(attributes, &stack, &size);
  pthread_attr_getstacksize(attributes, &size);
  pthread_attr_destroy(&fresh);
  // An unset stack address reads as 0 minus the size.
  const bool own_stack = stack != nullptr && reinterpret_cast<uintptr_t>(stack) + size != 0;
  return !own_stack && size == default_size;
}

}  // namespace

int shell_acquire(const pthread_attr_t* attributes, Shell* shell) {
  InsideScope inside;
  if (taken_count < ready_count && is_default(attributes)) {
    *shell = ready_shells[taken_count++];
    return 0;
  }
  if (attributes == nullptr) return make_shell(nullptr, shell);
  // The shell must be joinable: glibc frees the stack of a detached thread.
  pthread_attr_t joinable = *attributes;
  int state = PTHREAD_CREATE_JOINABLE;
  pthread_attr_getdetachstate(attributes, &state);
  pthread_attr_setdetachstate(&joinable, PTHREAD_CREATE_JOINABLE);
  return make_shell(&joinable, shell);
}

void shells_prepare(uint32_t count) {
  if (count > kMaxReady) count = kMaxReady;
  while (ready_count < count) {
    if (make_shell(nullptr, &ready_shells[ready_count]) != 0) return;
    ready_count++;
  }
}

}  // namespace heddle::rt
