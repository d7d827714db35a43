// The life of threads: creation, end, join, and the per-thread destructors.
#pragma once

#include <pthread.h>

#include "runtime/runtime.h"

namespace heddle::rt {

// Makes the fiber of the main thread, which is the calling code.
void threads_begin_execution(uintptr_t main_stack_top);
Fiber* fiber_of(pthread_t handle);
// What gettid says: the process's id in the main thread, in others a number that depends only on how many
// threads were created before.
pid_t tid_of(const Fiber* fiber);
Fiber* fiber_of_tid(pid_t tid);
// The current thread has left its start function: destructors, then the end.
[[noreturn]] void thread_end(void* result);

}  // namespace heddle::rt
