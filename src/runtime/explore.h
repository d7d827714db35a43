// heddle::explore(): many executions of one function inside the program (include/heddle/heddle.h).
#pragma once

#include "runtime/runtime.h"

namespace heddle::rt {

// An execution of an exploration is under way.
bool exploring();
// Ends it where it is: its threads are left as they are, nothing is unwound, and the exploration goes on. The
// outcome has been described.
[[noreturn]] void abandon_execution();
// Not in this process, which the explored function has forked.
void end_exploring();
// The process is about to die by a signal: says what is known and writes the schedule.
void report_before_death();

}  // namespace heddle::rt
