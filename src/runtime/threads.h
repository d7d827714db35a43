// The life of threads: creation, end, join, and the per-thread destructors.
#pragma once

#include <pthread.h>

#include "runtime/runtime.h"

namespace heddle::rt {

// Makes the fiber of the main thread, which is the calling code.
void threads_init(uintptr_t main_stack_top);
void threads_begin_execution();
Fiber* fiber_of(pthread_t handle);
void grow_frames(Fiber* fiber);
// The current thread has left its start function: destructors, then the end.
[[noreturn]] void thread_end(void* result);

}  // namespace heddle::rt
