// What belongs to a thread: thread-local variables and thread-specific data, and their end.
#pragma once

#include "runtime/runtime.h"

namespace heddle::rt {

// Destructors of the current thread's thread-local objects and specific data.
void run_thread_destructors();

// For threads in a used shell (thread_shell.h). Notes where the initial values of thread-local variables are.
void find_thread_local_images();
// The thread-local variables of the thread with this FS base, which does not run, get their initial values
// again. Those of libc are left alone: it keeps its caches and tables there.
void reset_thread_locals(uintptr_t fs_base);
// The current thread has no specific data yet, whatever an earlier one in the same shell has left behind.
void forget_specific_data();
// Whether its shell can serve another thread although this one did not run to its end.
bool leaves_nothing_behind(const Fiber* fiber);

}  // namespace heddle::rt
