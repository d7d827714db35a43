// The life of threads: creation, end, join, and the per-thread destructors.
#pragma once

#include <pthread.h>

#include "runtime/runtime.h"

namespace heddle::rt {

// Makes the fiber of the main thread, which is the calling code.
void threads_init(uintptr_t main_stack_top);
void threads_begin_execution();
// The main thread runs on the kernel thread that calls this.
void adopt_kernel_thread();
Fiber* fiber_of(pthread_t handle);
void grow_frames(Fiber* fiber);  // its call stack is deeper than ever before
// What gettid says: the process's id in the main thread, in others a number that depends only on how many
// threads were created before.
pid_t tid_of(const Fiber* fiber);
Fiber* fiber_of_tid(pid_t tid);
// A thread of the runtime's own, which runs no code of the program.
Fiber* start_service_thread(void (*body)(), const char* name);
[[noreturn]] void end_service_thread();
bool is_service(const Fiber* fiber);
// A thread of the program that the runtime starts for it.
void start_detached_thread(void* (*body)(void*), void* argument);
void name_thread(const Fiber* fiber, const char* name);
// Kernel threads get names of their own: notes what the program finds if it has named none.
void note_process_name();
// The next execution's threads have no names yet.
void thread_names_end_execution();

// The current thread has left its start function: destructors, then the end.
[[noreturn]] void thread_end(void* result);

}  // namespace heddle::rt
