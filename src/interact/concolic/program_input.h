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

struct ArgumentLimit {
  uint32_t fixed_prefix = 0;  // bytes that stay what they are
  uint32_t longest = 0;       // with them
};

struct InputLimits {
  // If the number of arguments is fixed, it is that of the limits; if not, these are of the first ones.
  bool has_fixed_count = false;
  std::vector<ArgumentLimit> arguments;
  uint32_t least_arguments = 0;
  uint32_t most_arguments = 16;
  uint32_t longest_argument = 4096;  // of those that have no limit of their own
  uint32_t longest_standard_input = 4096;
  uint32_t longest_file = 4096;
  char grows_with = '0';  // what a longer input has where no value was found
};

// Whether the limits leave no choice there: it stays what it is.
bool is_fixed(const InputPlace& place, const InputLimits& limits);

// The input with these values, but for places that are fixed. An argument ends before its first NUL, and may
// become longer; what is beyond the limits is cut. What lies between an argument's old end and a new
// character is `grows_with`.
ProgramInput with_values(const ProgramInput& input, const Assignment& values, const InputLimits& limits);

}  // namespace heddle::concolic
