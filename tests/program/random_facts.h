// Random programs as facts: locals, globals, pointers, arrays, fields, loops, calls, recursion, function
// pointers.
#pragma once

#include "program/program.h"

namespace heddle::program {

struct RandomFacts {
  uint32_t functions = 4;
  uint32_t statements = 8;  // of each function, about
  bool with_threads = false;
};
// The first function is main.
Program random_program(uint32_t seed, const RandomFacts& shape);

}  // namespace heddle::program
