// Random C code over the bytes of the first argument.
#pragma once

#include <cstdint>
#include <string>

namespace heddle::concolic {

// `count` functions that each compute an expression of random integer types and operations, and a main which
// hands their values to heddle_concolic_observe().
std::string generate_expressions(uint64_t seed, int count);

// A program with loops, switches, tables, structures, function pointers and recursion. It prints what it
// computes.
std::string generate_program(uint64_t seed);

}  // namespace heddle::concolic
