// A function's facts as text, for people and for tests: what `heddle program show` prints.
#pragma once

#include <string>

#include "program/program.h"

namespace heddle::program {

// Blocks with their statements; under each statement the calls it makes and the memory that it touches
// outside the function's own variables, by name; and where control goes from there.
std::string show_function(const Program& program, FunctionIndex index);

// The memory behind an address, as far as facts name it: "counter", "this->items_[…].size", "*get()".
std::string describe_address(const Program& program, FunctionIndex index, ValueId address);

}  // namespace heddle::program
