// Worlds: executions inside an execution.
//
// heddle::explore(body) makes many executions in one process, while the program that calls it is an execution
// itself. Both have threads, a schedule, clocks, points and so on: all that is a *world*. On entering the
// inner one, all variables marked HEDDLE_WORLD or HEDDLE_EXECUTION (runtime.h) and most of `rt` change places
// with what the inner world left behind last time; on leaving, they change back. The threads of the outer
// world stand still meanwhile. In the inner world the calling thread is `main`, on its own stack.
//
// Within the inner world, executions follow one another, and none may show what another one did. Variables
// marked HEDDLE_EXECUTION, and `rt`'s ExecutionState, simply begin with their initial values. What is too
// large or holds memory that the next execution needs again is marked HEDDLE_WORLD and put back by its owner,
// see begin_inner_execution(). The cost of that has to be far below a microsecond, so nothing is cleared that
// was not touched: threads keep their stacks and thread-local blocks (thread_shell.h), shadow memory is put
// back granule by granule (shadow.h), and entries of tables carry the number of the execution they are of,
// rt.execution (happens_before.cpp, descriptors.h, heap.h).
#pragma once

#include "runtime/runtime.h"

namespace heddle::rt {

// As the library was loaded: what the inner world begins with.
void worlds_init();

// It records into the tool's arena, or one of its own.
void enter_inner_world(uintptr_t main_stack_top, bool for_tool);
void leave_inner_world();
bool in_inner_world();

// The running code becomes the main thread of the next execution, as `rt.arena->request` asks.
void begin_inner_execution();
// The main thread is the only one from here on, at the call; the others are dropped where they stand.
void drop_threads();
void end_inner_execution();

}  // namespace heddle::rt
