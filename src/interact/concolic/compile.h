// Compiles and links a C or C++ program so that its executions can be recorded.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "program/compile_unit.h"
#include "support/error.h"

namespace heddle::concolic {

// A statement whose execution is to be recorded (SiteKind::kMark).
struct WatchedLine {
  std::string file;  // absolute
  unsigned line;
  unsigned column =
      0;  // where it begins; 0: all of the line. What comes before the next column is part of it
};

struct CompileRequest {
  std::vector<program::UnitCommand> units;
  std::filesystem::path folder;             // for objects, and what the compiler writes
  std::filesystem::path output;             // the executable
  std::vector<std::string> link_arguments;  // libraries, and objects that are not instrumented
  std::vector<WatchedLine> watched;
  bool is_fuzz_target = false;  // LLVMFuzzerTestOneInput is called with all of standard input
};

// An error is the compiler's first one.
Expected<void> compile_for_recording(const CompileRequest& request);

}  // namespace heddle::concolic
