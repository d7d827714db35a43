// Compiles and links a program from its units, by the project's own compiler, in other ways than the project
// does: with AddressSanitizer, or with heddle's main() of a libFuzzer-style function.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "interact/versions/program_parts.h"
#include "support/error.h"

namespace heddle::interact {

struct FormRequest {
  std::vector<ProgramUnit> units;
  std::vector<std::string> link_arguments;
  std::string linker;            // the compiler that links
  bool is_guarded = false;       // with AddressSanitizer, -O1 and line numbers
  bool is_fuzz_target = false;   // all of standard input is given to LLVMFuzzerTestOneInput
  std::filesystem::path folder;  // for objects; it is there
  std::filesystem::path output;
};

// An error is the compiler's first one.
Expected<void> make_form(const FormRequest& request);

// The objects of units, in their order, without linking.
Expected<std::vector<std::filesystem::path>> compile_units(const FormRequest& request);

// The flags, but for what another way of instrumentation, profiles, and optimisation across units need.
std::vector<std::string> without_instrumentation(const std::vector<std::string>& arguments);

}  // namespace heddle::interact
