// Looks in a function template's body for what it does with a parameter of unknown type.
#pragma once

#include <optional>

#include "generate/class_reader/called_parameters.h"

namespace heddle::generate {

// How the body calls the parameter, or what it hands it to: a function of its own, an algorithm of the
// standard library, or a std::function. Nothing if it cannot be seen. `depth` as of called_parameter().
std::optional<CallShape> seen_call(const clang::FunctionDecl& function, const clang::ParmVarDecl& parameter,
                                   int depth);

}  // namespace heddle::generate
