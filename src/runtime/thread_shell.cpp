#include "runtime/thread_shell.h"

#include <sys/single_threaded.h>
#include <csignal>

#include "runtime/address_space.h"
#include "runtime/sys.h"

namespace heddle::rt {
namespace {

HEDDLE_REAL Real<const uint32_t> tid_field{"_thread_db_pthread_tid"};
HEDDLE_REAL Real<int(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*)> real_create{
    "pthread_create"};

inline constexpr uint32_t kMaxReady = 256;
Shell* ready_shells;
uint32_t ready_count;
uint32_t taken_count;

// What is left of the shell thread's own frames stays above the fiber's stack.
inline constexpr uintptr_t kRoomForShellFrames = 1024;

// The thread block's first word points to itself.
uintptr_t own_fs_base() {
  uintptr_t fs;
  asm volatile("mov %%fs:0, %0" : "=r"(fs));
  return fs;
}

struct Handover {
  Shell* shell;
  uint32_t done;
};

void* shell_main(void* argument) {
  auto* handover = static_cast<Handover*>(argument);
  handover->shell->fs_base = own_fs_base();
  handover->shell->tid = find_own_tid();
  if (handover->shell->tid != nullptr) *handover->shell->tid = 0;  // nobody goes by this id any more
  const auto frame = reinterpret_cast<uintptr_t>(__builtin_frame_address(0));
  handover->shell->stack_top = (frame - kRoomForShellFrames) & ~uintptr_t{63};
  // The kernel must not touch the thread block on exit.
  sys_call(SYS_set_tid_address, 0);
  sys_set_and_end_thread(&handover->done);  // from then on the stack belongs to the fiber
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

// Shells that go from one execution to the next, in the order in which they were made.
struct Lent {
  Shell shell;
  size_t stack_size;
  bool taken;
  bool dropped;
};
inline constexpr uint32_t kMaxLent = kMaxFibers;
Lent* lent;
uint32_t lent_count;
uint32_t lent_taken_end;  // above the last one taken
bool lending;

Lent* find_lent(size_t size) {
  for (uint32_t i = 0; i < lent_count; ++i) {
    Lent& entry = lent[i];
    if (entry.taken || entry.dropped || entry.stack_size != size) continue;
    entry.taken = true;
    if (i >= lent_taken_end) lent_taken_end = i + 1;
    return &entry;
  }
  return nullptr;
}

void lend(const Shell& shell, size_t size) {
  if (lent_count == kMaxLent) return;
  lent[lent_count++] = {shell, size, true, false};
  lent[lent_count - 1].shell.used = true;
  lent_taken_end = lent_count;
}

// Runs the real pthread_create and waits until the kernel thread has let go of the stack.
int hatch(const pthread_attr_t* attributes, Shell* shell) {
  uint64_t all = ~uint64_t{0};
  uint64_t before = 0;
  sys_call(SYS_rt_sigprocmask, SIG_BLOCK, reinterpret_cast<long>(&all), reinterpret_cast<long>(&before), 8);
  // The handover must outlive the kernel thread's last look at it, so it is not on this stack.
  static Handover handover;
  handover = {shell, 0};
  // glibc prepares for threads with the first one, by this variable, which says otherwise since the execution
  // began (runtime.cpp). It sets it back.
  static bool prepared = false;
  if (!prepared) __libc_single_threaded = 1;
  prepared = true;
  const int error = real_create(&shell->handle, attributes, shell_main, &handover);
  if (error == 0) {
    while (__atomic_load_n(&handover.done, __ATOMIC_ACQUIRE) == 0) {
      sys_call(SYS_futex, reinterpret_cast<long>(&handover.done), FUTEX_WAIT_PRIVATE, 0, 0);
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

struct OwnStack {
  uintptr_t low;
  size_t size;
};

// The stack that the program brings, if it does.
bool has_own_stack(const pthread_attr_t* attributes, OwnStack* own) {
  void* stack = nullptr;
  pthread_attr_getstack(attributes, &stack, &own->size);
  own->low = reinterpret_cast<uintptr_t>(stack);
  return stack != nullptr && own->low + own->size != 0;  // unset reads as 0 minus the size
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

// glibc tells debuggers where in its record of a thread, which begins at the FS base, each field is: its size
// in bits, the number of elements, and its offset.
pid_t* find_own_tid() {
  if (!tid_field.exists()) return nullptr;
  const uint32_t* const field = tid_field.get();
  constexpr uint32_t kBits = 8 * sizeof(pid_t);
  return field[0] == kBits ? reinterpret_cast<pid_t*>(own_fs_base() + field[2]) : nullptr;
}

int shell_acquire(const pthread_attr_t* attributes, Shell* shell) {
  InsideScope inside;
  size_t size = default_stack_size();
  if (attributes != nullptr) pthread_attr_getstacksize(attributes, &size);
  if (OwnStack own; attributes != nullptr && has_own_stack(attributes, &own)) {
    // glibc would keep its record of the thread at the top of that stack, where the program may soon have
    // something else, since it can join the thread. So only the fiber moves there.
    if (const int error = shell_acquire(nullptr, shell); error != 0) return error;
    shell->stack_low = own.low;
    shell->stack_top = (own.low + own.size) & ~uintptr_t{63};
    shell->stack_end = own.low + own.size;
    return 0;
  }
  if (lending) {
    if (const Lent* entry = find_lent(size)) {
      *shell = entry->shell;
      return 0;
    }
  }
  if (taken_count < ready_count && size == default_stack_size()) {
    *shell = ready_shells[taken_count++];
  } else if (const int error = make_shell(size, attributes, shell); error != 0) {
    return error;
  }
  shell->used = false;
  if (lending) lend(*shell, size);
  return 0;
}

void shells_lend() {
  if (lent == nullptr) lent = static_cast<Lent*>(own_memory(kMaxLent * sizeof(Lent)));
  lending = true;
}

void shells_end_lending() {
  lending = false;
}

void shells_take_back() {
  for (uint32_t i = 0; i < lent_taken_end; ++i) lent[i].taken = false;
  lent_taken_end = 0;
}

void shell_drop(pthread_t handle) {
  for (uint32_t i = 0; i < lent_taken_end; ++i) {
    if (lent[i].shell.handle == handle) lent[i].dropped = true;
  }
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
