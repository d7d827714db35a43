// The point set: which locations' accesses are scheduling points from the start of an execution, and which
// are known to be handed from thread to thread.
//
// Skipping accesses to memory that is not *yet* shared would hide bugs, so what is learned in one execution
// is applied from the beginning of the next. A location is keyed so that it means the same in every
// execution:
//   global   module name + offset in the module
//   heap     hash of allocation site and calling context + offset in the object
//   stack    hash of the thread's stable name + distance from the top of its stack
// Entries are applied when memory comes into being: globals at start, stacks when the thread is created, heap
// objects when they are allocated.
#pragma once

#include "runtime/heap.h"
#include "runtime/runtime.h"

namespace heddle::rt {

void point_set_init();
// Applies the entries of the arena's kInputPoints that have not been applied yet. Cheap when there are none.
void point_set_load();
// For executions that follow one another in one process: starts with the empty set.
void point_set_forget();
// What was learned applies from now on.
void point_set_begin_execution();
// Marks all memory that exists.
void point_set_apply_all();
void point_set_apply_to_heap(const HeapObject& object);
void point_set_apply_to_stack(const Fiber& fiber);
// Several threads have been seen to use the granule: reports its key to the tool.
void learn_location(uintptr_t granule, trace::PointGrade grade);

}  // namespace heddle::rt
