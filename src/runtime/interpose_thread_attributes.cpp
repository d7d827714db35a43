// What a thread is called, where its stack is and where it may run. glibc asks the kernel about threads by an
// id under which the kernel does not know ours, and the answers must not depend on the backend.
#include <pthread.h>
#include <sched.h>
#include <sys/prctl.h>
#include <unistd.h>
#include <cerrno>
#include <cstdarg>

#include "runtime/address_space.h"
#include "runtime/io.h"
#include "runtime/kernel_threads.h"
#include "runtime/sync.h"
#include "runtime/threads.h"
#include "runtime/world.h"

namespace heddle::rt {
namespace {

inline constexpr size_t kNameRoom = 16;  // as in the kernel
using ThreadName = char[kNameRoom];
HEDDLE_WORLD ThreadName* names;  // by thread; empty: as its parent

// What the kernel calls the thread that all threads run on, before an exploration's execution renames it.
struct KernelName {
  bool is_changed;
  ThreadName before;
};
HEDDLE_EXECUTION KernelName kernel_name;

void set_kernel_name(const char* name) {
  if (in_inner_world() && !kernel_name.is_changed) {
    kernel_name.is_changed = true;
    sys_call(SYS_prctl, PR_GET_NAME, address_of(kernel_name.before));
  }
  sys_call(SYS_prctl, PR_SET_NAME, address_of(name));
}

const char* name_of(const Fiber* fiber) {
  while (names != nullptr && names[fiber->index][0] == 0 && fiber->index != 0)
    fiber = rt.fibers[fiber->parent];
  return names != nullptr ? names[fiber->index] : "";
}

void note_name(const Fiber* fiber, const char* name) {
  if (names == nullptr) names = static_cast<ThreadName*>(own_memory(kMaxFibers * sizeof(ThreadName)));
  Text(names[fiber->index], kNameRoom).add(name);
}

int set_name(Fiber* fiber, const char* name) {
  if (fiber == nullptr) return ESRCH;
  if (text_length(name) >= kNameRoom) return ERANGE;
  note_name(fiber, name);
  name_thread(fiber, name);
  if (rt.os_threads)
    name_kernel_thread(fiber, name);
  else if (fiber->index == 0)
    set_kernel_name(name);
  return 0;
}

int get_name(const Fiber* fiber, char* name, size_t room) {
  if (fiber == nullptr) return ESRCH;
  const char* own = name_of(fiber);
  char inherited[kNameRoom] = {};
  if (*own == 0) {
    sys_call(SYS_prctl, PR_GET_NAME, address_of(inherited));
    own = inherited;
  }
  if (text_length(own) >= room) return ERANGE;
  Text(name, room).add(own);
  return 0;
}

// Affinity is one for all threads, since one kernel thread runs them.
long get_affinity(size_t size, cpu_set_t* set) {
  const long result = sys_call(SYS_sched_getaffinity, 0, static_cast<long>(size), address_of(set));
  if (result < 0) return result;
  fill_bytes(reinterpret_cast<char*>(set) + result, 0, size - static_cast<size_t>(result));
  return 0;
}

}  // namespace

void note_process_name() {
  char name[kNameRoom] = {};
  sys_call(SYS_prctl, PR_GET_NAME, address_of(name));
  note_name(rt.fibers[0], name);
}

void thread_names_end_execution() {
  for (uint32_t i = 0; names != nullptr && i < rt.fiber_count; ++i) names[i][0] = 0;
  if (HEDDLE_UNLIKELY(kernel_name.is_changed))
    sys_call(SYS_prctl, PR_SET_NAME, address_of(kernel_name.before));
}

}  // namespace heddle::rt

using namespace heddle::rt;

HEDDLE_EXPORT pid_t gettid() {
  return controlled() ? tid_of(rt.current) : static_cast<pid_t>(sys_call(SYS_gettid));
}

HEDDLE_EXPORT int pthread_setname_np(pthread_t handle, const char* name) {
  static HEDDLE_REAL Real<int(pthread_t, const char*)> real_setname{"pthread_setname_np"};
  return controlled() ? set_name(fiber_of(handle), name) : real_setname(handle, name);
}
HEDDLE_EXPORT int pthread_getname_np(pthread_t handle, char* name, size_t room) {
  static HEDDLE_REAL Real<int(pthread_t, char*, size_t)> real_getname{"pthread_getname_np"};
  return controlled() ? get_name(fiber_of(handle), name, room) : real_getname(handle, name, room);
}

HEDDLE_EXPORT int prctl(int option, ...) {
  va_list list;
  va_start(list, option);
  long a[4];
  for (long& argument : a) argument = va_arg(list, long);
  va_end(list);
  if (controlled() && option == PR_SET_NAME) {
    char name[kNameRoom] = {};
    Text(name, sizeof name).add(reinterpret_cast<const char*>(a[0]));  // the kernel cuts it as well
    return set_name(rt.current, name);
  }
  if (controlled() && option == PR_GET_NAME)
    return get_name(rt.current, reinterpret_cast<char*>(a[0]), kNameRoom);
  return static_cast<int>(io_result(sys_call(SYS_prctl, option, a[0], a[1], a[2], a[3])));
}

HEDDLE_EXPORT int pthread_getattr_np(pthread_t handle, pthread_attr_t* attributes) {
  static HEDDLE_REAL Real<int(pthread_t, pthread_attr_t*)> real_getattr{"pthread_getattr_np"};
  const Fiber* fiber = controlled() ? fiber_of(handle) : nullptr;
  if (fiber == nullptr || fiber->index == 0) {
    InsideScope inside;
    return real_getattr(handle, attributes);
  }
  pthread_attr_init(attributes);
  pthread_attr_setstack(attributes, reinterpret_cast<void*>(fiber->stack_low),
                        fiber->stack_end - fiber->stack_low);
  pthread_attr_setdetachstate(attributes,
                              fiber->detached ? PTHREAD_CREATE_DETACHED : PTHREAD_CREATE_JOINABLE);
  cpu_set_t cpus;
  if (get_affinity(sizeof cpus, &cpus) == 0) pthread_attr_setaffinity_np(attributes, sizeof cpus, &cpus);
  return 0;
}

HEDDLE_EXPORT int pthread_getaffinity_np(pthread_t handle, size_t size, cpu_set_t* set) {
  static HEDDLE_REAL Real<int(pthread_t, size_t, cpu_set_t*)> real_getaffinity{"pthread_getaffinity_np"};
  if (!controlled()) return real_getaffinity(handle, size, set);
  return fiber_of(handle) == nullptr ? ESRCH : static_cast<int>(-get_affinity(size, set));
}
// A thread's wish where to run means nothing here: where its steps run is not its business.
HEDDLE_EXPORT int pthread_setaffinity_np(pthread_t handle, size_t size, const cpu_set_t* set) {
  static HEDDLE_REAL Real<int(pthread_t, size_t, const cpu_set_t*)> real_set{"pthread_setaffinity_np"};
  if (!controlled()) return real_set(handle, size, set);
  return fiber_of(handle) == nullptr ? ESRCH : 0;
}
HEDDLE_EXPORT int sched_getaffinity(pid_t tid, size_t size, cpu_set_t* set) {
  const bool own = controlled() && (tid == 0 || fiber_of_tid(tid) != nullptr);
  if (own) return static_cast<int>(io_result(get_affinity(size, set)));
  const long result = sys_call(SYS_sched_getaffinity, tid, static_cast<long>(size), address_of(set));
  return static_cast<int>(io_result(result < 0 ? result : 0));
}
HEDDLE_EXPORT int sched_setaffinity(pid_t tid, size_t size, const cpu_set_t* set) {
  if (controlled() && (tid == 0 || fiber_of_tid(tid) != nullptr)) return 0;
  return static_cast<int>(
      io_result(sys_call(SYS_sched_setaffinity, tid, static_cast<long>(size), address_of(set))));
}

// Priorities of threads: accepted, and without effect.
HEDDLE_EXPORT int pthread_setschedparam(pthread_t handle, int policy, const sched_param* parameters) {
  static HEDDLE_REAL Real<int(pthread_t, int, const sched_param*)> real_set{"pthread_setschedparam"};
  if (!controlled()) return real_set(handle, policy, parameters);
  return fiber_of(handle) == nullptr ? ESRCH : 0;
}
HEDDLE_EXPORT int pthread_getschedparam(pthread_t handle, int* policy, sched_param* parameters) {
  static HEDDLE_REAL Real<int(pthread_t, int*, sched_param*)> real_get{"pthread_getschedparam"};
  if (!controlled()) return real_get(handle, policy, parameters);
  if (fiber_of(handle) == nullptr) return ESRCH;
  *policy = SCHED_OTHER;
  *parameters = {};
  return 0;
}
HEDDLE_EXPORT int pthread_setschedprio(pthread_t handle, int priority) {
  static HEDDLE_REAL Real<int(pthread_t, int)> real_set{"pthread_setschedprio"};
  if (!controlled()) return real_set(handle, priority);
  return fiber_of(handle) == nullptr ? ESRCH : 0;
}

HEDDLE_EXPORT int pthread_getcpuclockid(pthread_t handle, clockid_t* clock) {
  static HEDDLE_REAL Real<int(pthread_t, clockid_t*)> real_get{"pthread_getcpuclockid"};
  if (!controlled()) return real_get(handle, clock);
  const Fiber* fiber = fiber_of(handle);
  if (fiber == nullptr) return ESRCH;
  constexpr unsigned kThreadScheduled = 6;  // the kernel's coding: ~id << 3 | per thread | by scheduler
  *clock = static_cast<clockid_t>(~static_cast<unsigned>(tid_of(fiber)) << 3 | kThreadScheduled);
  return 0;
}
