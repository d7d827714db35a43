// The second backend (`--backend os`): every fiber runs on a kernel thread of its own.
//
// Nothing else changes. Exactly one kernel thread runs at a time, the one whose fiber has the turn; all
// others wait for theirs, each on its own futex (Fiber::turn), and touch nothing meanwhile. So the runtime's
// state still has one owner at every moment, and is handed on with the turn. Waiting threads block all
// signals, so that a signal reaches the running one, as it does when there is only one.
//
// A kernel thread takes over the stack and thread-local block that its fiber has in any case
// (thread_shell.h). So the program's memory lies at the same addresses on both backends, and the same
// schedule gives the same trace. The kernel thread of a finished fiber ends; that of the main thread waits
// on, since a process without it looks dead from outside.
#pragma once

#include "runtime/runtime.h"

namespace heddle::rt {

// Makes the kernel thread of a fiber whose stack is prepared; it waits for its first turn. Returns 0 or an
// errno value.
int start_kernel_thread(Fiber* fiber);
// Gives the turn to `to`. Returns when `from`, the fiber that runs, gets it back; never if it has finished.
void pass_turn(Fiber* from, Fiber* to);
// What debuggers and the like show: the given name, or that by which reports know the thread. What the
// program sees is another matter, see interpose_thread_attributes.cpp.
void name_kernel_thread(const Fiber* fiber, const char* name);
void name_kernel_thread(const Fiber* fiber);

}  // namespace heddle::rt
