// Opening an execution in gdb.
//
// The program runs once, without a fork server, under gdb with the same runtime and the same request: it does
// what the schedule says, and the runtime stops it with SIGTRAP in heddle_stop_here where the failure is
// recognised (a crash stops where it happens).
#pragma once

#include "execute/execution.h"
#include "execute/input.h"
#include "execute/test_command.h"
#include "support/error.h"

namespace heddle {

// Replaces this process by gdb, so it returns only if that fails. `request.schedule` must be set; its points
// are used. The words of HEDDLE_GDB_ARGS are added to gdb's command line, after the program has stopped.
Error debug_execution(const TestCommand& command, const Input& input, const ExecutionRequest& request);

}  // namespace heddle
