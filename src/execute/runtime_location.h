// Where the runtime that goes into the program lies, and the environment that gets it in.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "execute/test_command.h"
#include "support/error.h"

namespace heddle {

// The folder with libheddle_rt.so and its links libtsan.so.2 and libclang_rt.tsan-x86_64.so:
// HEDDLE_RUNTIME_DIR, else beside the running binary as installed, else in its build tree.
Expected<std::string> find_runtime();

// The folder with the scripts for debuggers that belong to this runtime (src/debugger).
Expected<std::string> find_debugger_scripts(const std::string& runtime_folder);

// Variables to set for `command`, on top of the tool's environment; `arena` is a descriptor number or a path.
std::vector<std::pair<std::string, std::string>> runtime_environment(const std::string& runtime_folder,
                                                                     const TestCommand& command,
                                                                     const std::string& arena);

}  // namespace heddle
