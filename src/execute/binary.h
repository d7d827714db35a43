// inspect_binary: what an executable file tells about itself before it is run under heddle.
#pragma once

#include <string>
#include <vector>

#include "execute/test_command.h"
#include "support/error.h"

namespace heddle {

struct BinaryInfo {
  std::string path;                // absolute
  std::string build_id;            // lower-case hex; empty if the linker wrote none
  bool instrumented = false;       // it, or a library linked to it, calls ThreadSanitizer's hooks
  bool static_tsan = false;        // ThreadSanitizer's own runtime is linked into it
  bool statically_linked = false;  // no dynamic linker, so no runtime can be loaded
  bool has_coverage = false;       // -fsanitize-coverage
  bool has_debug_info = false;
  std::string tsan_library;  // the DT_NEEDED entry that heddle's runtime takes the place of; may be empty
  std::vector<std::string> instrumented_libraries;
  std::vector<std::string>
      project_libraries;  // all that are not the system's, the instrumented ones included
};

// Finds argv[0] as execvp would, relative to the command's directory.
Expected<std::string> resolve_program(const TestCommand& command);

// Fails when the file is missing, not executable, a script, or no x86-64 ELF executable.
Expected<BinaryInfo> inspect_binary(const std::string& path);

// Whether heddle can control the binary; the error says how to build it so that it can.
Expected<void> check_runnable(const BinaryInfo& info);

}  // namespace heddle
