// InputRoom: what of an input may be chosen (concolic::InputLimits, with the text of what may not).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "interact/concolic/program_input.h"

namespace heddle::fuzz {

struct InputRoom {
  concolic::InputLimits limits;
  std::vector<std::string> fixed;  // by argument that has a limit: what it begins with

  // Where the free part of an argument begins, and how long the argument may be.
  size_t begin_of(size_t argument) const {
    return argument < limits.arguments.size() ? limits.arguments[argument].fixed_prefix : 0;
  }
  size_t longest(size_t argument) const {
    return argument < limits.arguments.size() ? limits.arguments[argument].longest : limits.longest_argument;
  }
  bool allows(const concolic::ProgramInput& input) const;
  // Cuts what is too long and puts what is fixed where it belongs. Arguments end before a NUL.
  void fit(concolic::ProgramInput* input) const;
};

// Texts of an input that something may be chosen in: arguments, standard input, the file.
std::string& text_of(concolic::ProgramInput& input, size_t text);
inline const std::string& text_of(const concolic::ProgramInput& input, size_t text) {
  return text_of(const_cast<concolic::ProgramInput&>(input), text);
}
inline size_t texts_of(const concolic::ProgramInput& input) {
  return input.arguments.size() + 2;
}

// Never 0.
uint64_t hash_of(const concolic::ProgramInput& input);

}  // namespace heddle::fuzz
