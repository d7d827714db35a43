// The command lines that start a debugger on a program under heddle's runtime. Both debuggers are told the
// same: environment and arguments of the program, heddle's scripts (src/debugger), which tell the tool how
// the program ended, run, then select the failure.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "execute/test_command.h"
#include "trace/layout.h"

namespace heddle {

struct DebuggerSession {
  std::string program;
  std::string scripts;  // folder of src/debugger
  TestCommand command;
  std::vector<std::pair<std::string, std::string>> environment;
  std::optional<trace::OutcomeKind> failure;  // that is expected
  std::string input;                          // file that the program reads as standard input
  std::chrono::milliseconds timeout{0};       // after which lldb interrupts the program
  int tell_fd = -1;                           // on which the script tells of the end
};

// The first word is the program to start. Words of HEDDLE_GDB_ARGS and HEDDLE_LLDB_ARGS are included.
std::vector<std::string> gdb_command(const DebuggerSession& session);
std::vector<std::string> lldb_command(const DebuggerSession& session);

}  // namespace heddle
