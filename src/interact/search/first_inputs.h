// Inputs that no solver is needed for: what a search begins with if it is given nothing, and longer ones.
#pragma once

#include <optional>
#include <vector>

#include "interact/concolic/program_input.h"
#include "support/error.h"

namespace heddle::interact {

// Of the shape that the limits and `symbolic` (concolic::symbolic) allow: all empty, and all "0", which is a
// number, a word and a line. An error, if parts of arguments are fixed: what they are is not known.
Expected<std::vector<concolic::ProgramInput>> first_inputs(const concolic::InputLimits& limits,
                                                           uint32_t symbolic);

// The input with one, two … more arguments, as many as there may be. Programs that look for the end of their
// arguments in argv, not in argc, make no decision that would lead to more of them.
std::vector<concolic::ProgramInput> with_more_arguments(const concolic::ProgramInput& input,
                                                        const concolic::InputLimits& limits,
                                                        uint32_t symbolic);

// The input with much more of what `solved` has longer than `before`, if anything.
std::optional<concolic::ProgramInput> stretched_input(const concolic::ProgramInput& before,
                                                      const concolic::ProgramInput& solved,
                                                      const concolic::InputLimits& limits);

}  // namespace heddle::interact
