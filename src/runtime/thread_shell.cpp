#include "runtime/thread_shell.h"

#include <csignal>

#include "runtime/address_space.h"
#include "runtime/sys.h"

namespace heddle::rt {
namespace {

HEDDLE_REAL Real<int(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*)> real_create{
    "pthread_create"};

inline constexpr uint32_t kMaxReady = 256;
Shell* ready_shells;
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

// Every shell gets the next slot of the stack region, so that its addresses depend only on how many threads
// were created before it. Threads with a stack size of their own have slots of their own: they are never made
// ahead.
inline constexpr size_t kPage = 4096;
inline constexpr size_t kGuardRoom = 64 * 1024;
inline constexpr size_t kUsualStack = 8 * kMegabyte;
inline constexpr size_t kSpecialSize = 4 * kUsualStack;

struct Slots {
  uintptr_t top;  // of the next one; they go down
  uintptr_t end;
  uintptr_t far_top;  // where to go on after that, or 0
  uintptr_t far_end;
  size_t pitch;
};
Slots default_slots;
Slots special_slots;

void init_slots(size_t default_size) {
  constexpr uintptr_t kMiddle = kStacksBase + kSpecialSize;
  constexpr uintptr_t kFarMiddle = kFarStacksBase + kFarStacksSize / 2;
  const size_t usual = default_size < kUsualStack ? kUsualStack : default_size;
  default_slots = {kStacksBase + kStacksSize, kMiddle, kFarStacksBase + kFarStacksSize, kFarMiddle,
                   ((usual + kPage - 1) & ~(kGuardRoom - 1)) + kGuardRoom};
  special_slots = {kMiddle, kStacksBase, kFarMiddle, kFarStacksBase, 2 * kUsualStack};
}

// Kernels before 6.13 have only mprotect, which makes two mappings more for each fork to copy.
void guard(uintptr_t page) {
  constexpr long kGuardInstall = 102;  // MADV_GUARD_INSTALL
  if (sys_call(SYS_madvise, static_cast<long>(page), kPage, kGuardInstall) != 0) {
    sys_call(SYS_mprotect, static_cast<long>(page), kPage, PROT_NONE);
  }
}

// Where a stack of `size` bytes goes in a new slot; null if it does not fit into one. The guard page of a
// stack of the usual size lies close to the top of the next one, where a page table is needed anyway.
char* take_slot(size_t size, Slots* slots) {
  if (size + kPage > slots->pitch) return nullptr;
  if (slots->top - slots->end < slots->pitch) {
    if (slots->far_top == 0) return nullptr;
    slots->top = slots->far_top;
    slots->end = slots->far_end;
    slots->far_top = 0;
    return take_slot(size, slots);
  }
  const uintptr_t low = slots->top - size;
  slots->top -= slots->pitch;
  guard((low - kPage) & ~(kPage - 1));
  return reinterpret_cast<char*>(low);
}

// Runs the real pthread_create and waits until the kernel thread has let go of the stack.
int hatch(const pthread_attr_t* attributes, Shell* shell) {
  uint64_t all = ~uint64_t{0};
  uint64_t before = 0;
  sys_call(SYS_rt_sigprocmask, SIG_BLOCK, reinterpret_cast<long>(&all), reinterpret_cast<long>(&before), 8);
  // The handover must outlive the kernel thread's last look at it, so it is not on this stack.
  static Handover handover;
  handover = {shell, 0};
  const int error = real_create(&shell->handle, attributes, shell_main, &handover);
  if (error == 0) {
    while (__atomic_load_n(&handover.done, __ATOMIC_ACQUIRE) == 0) {
      sys_call(SYS_futex, reinterpret_cast<long>(&handover.done), FUTEX_WAIT, 0, 0);
    }
  }
  sys_call(SYS_rt_sigprocmask, SIG_SETMASK, reinterpret_cast<long>(&before), 0, 8);
  return error;
}

size_t default_stack_size() {
  static size_t size = 0;
  if (size == 0) {
    pthread_attr_t fresh;
    pthread_attr_init(&fresh);
    pthread_attr_getstacksize(&fresh, &size);
    pthread_attr_destroy(&fresh);
    init_slots(size);
  }
  return size;
}

// The program brings its own stack.
bool has_own_stack(const pthread_attr_t* attributes) {
  void* stack = nullptr;
  size_t size = 0;
  pthread_attr_getstack(attributes, &stack, &size);
  return stack != nullptr &&
         reinterpret_cast<uintptr_t>(stack) + size != 0;  // unset reads as 0 minus the size
}

int make_shell(size_t size, const pthread_attr_t* attributes, Shell* shell) {
  InsideScope inside;
  char* const low = take_slot(size, size == default_stack_size() ? &default_slots : &special_slots);
  if (low == nullptr) {
    if (const int error = hatch(attributes, shell); error != 0) return error;
    constexpr size_t kThreadBlock = 2304;  // glibc's, at the very top
    shell->stack_end = (shell->fs_base + kThreadBlock + kPage - 1) & ~(kPage - 1);
    shell->stack_low = shell->stack_end - size;
    return 0;
  }
  pthread_attr_t placed;
  pthread_attr_init(&placed);
  pthread_attr_setstack(&placed, low, size);
  const int error = hatch(&placed, shell);
  pthread_attr_destroy(&placed);
  shell->stack_low = reinterpret_cast<uintptr_t>(low);
  shell->stack_end = shell->stack_low + size;
  return error;
}

}  // namespace

int shell_acquire(const pthread_attr_t* attributes, Shell* shell) {
  InsideScope inside;
  size_t size = default_stack_size();
  if (attributes != nullptr) pthread_attr_getstacksize(attributes, &size);
  if (attributes != nullptr && has_own_stack(attributes)) {
    // It must be joinable: glibc would let go of a detached thread's state.
    pthread_attr_t joinable = *attributes;
    pthread_attr_setdetachstate(&joinable, PTHREAD_CREATE_JOINABLE);
    if (const int error = hatch(&joinable, shell); error != 0) return error;
    void* stack = nullptr;
    pthread_attr_getstack(attributes, &stack, &size);
    shell->stack_low = reinterpret_cast<uintptr_t>(stack);
    shell->stack_end = shell->stack_low + size;
    return 0;
  }
  if (taken_count < ready_count && size == default_stack_size()) {
    *shell = ready_shells[taken_count++];
    return 0;
  }
  return make_shell(size, attributes, shell);
}

void shells_prepare(uint32_t count) {
  if (count > kMaxReady) count = kMaxReady;
  if (ready_shells == nullptr) ready_shells = static_cast<Shell*>(own_memory(kMaxReady * sizeof(Shell)));
  while (ready_count < count) {
    if (make_shell(default_stack_size(), nullptr, &ready_shells[ready_count]) != 0) return;
    ready_count++;
  }
}

}  // namespace heddle::rt
