// ProgramInput: what a program is run with, and how the values that a solver found are put into it.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "interact/concolic/layout.h"

namespace heddle::concolic {

struct ProgramInput {
  std::vector<std::string> arguments;  // without the program's name
  std::string standard_input;
  std::string file;  // content of the one file, if the program reads one

  friend auto operator<=>(const ProgramInput&, const ProgramInput&) = default;
};

// A byte (or size) of the input; the same for all executions of a program.
struct InputPlace {
  uint32_t source;  // make_source()
  uint32_t offset;

  friend auto operator<=>(const InputPlace&, const InputPlace&) = default;
};

using Assignment = std::map<InputPlace, uint64_t>;

struct InputLimits {
  uint32_t most_arguments = 16;
  uint32_t longest_file = 4096;  // standard input, and the file
  char grows_with = '0';         // what a longer input has where no value was found
};

// The input with these values. An argument ends before its first NUL, and may become longer; what is beyond
// the limits is cut.
ProgramInput with_values(const ProgramInput& input, const Assignment& values, const InputLimits& limits);

}  // namespace heddle::concolic
