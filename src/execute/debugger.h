// Opening an execution in a debugger.
//
// The program runs once, without a fork server, under the debugger with the same runtime and the same
// request: it does what the schedule says, and the runtime stops it with SIGTRAP in heddle_stop_here where
// the failure is recognised (a crash stops where it happens). The tool waits for the debugger to end and then
// knows, from the arena and from what the debugger saw, what the execution came to.
#pragma once

#include <string>

#include "execute/execution.h"
#include "execute/input.h"
#include "execute/test_command.h"
#include "support/error.h"

namespace heddle {

struct DebuggedExecution {
  trace::OutcomeRecord outcome{};
  std::string divergence;  // why the given schedule could not be followed; empty if it was
};

enum class Debugger { kGdb, kLldb };

// Runs it on this process's terminal until the user, or a script, ends it. `request.schedule` must be set;
// its points are used. A program that neither stops nor ends within request.timeout is interrupted, so that
// it shows where it hangs. The words of HEDDLE_GDB_ARGS or HEDDLE_LLDB_ARGS are added to its command line;
// what they execute comes after the program has stopped.
Expected<DebuggedExecution> debug_execution(Debugger debugger, const TestCommand& command, const Input& input,
                                            const ExecutionRequest& request);

}  // namespace heddle
