// The facts of a unit as bytes: versioned, compressed, and checked when they are read.
//
// Bodies of functions are stored apart, each with its length, so that a reader passes over those it has
// already: every unit brings its own copy of the inline functions and templates that it uses.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "program/facts.h"
#include "support/error.h"

namespace heddle::program {

// To be raised whenever units would be extracted or written differently.
inline constexpr uint32_t kFactsVersion = 8;

std::string encode_facts(const Unit& unit);

// Whether the body of this function is wanted. One that is not wanted is left out of Unit::functions.
using WantsFunction = std::function<bool(const Symbol&)>;

// Every index in the result is within its table. `left_out` gets the symbols of functions that are not
// wanted.
Expected<Unit> decode_facts(std::string_view bytes, const WantsFunction& wants = {},
                            std::vector<uint32_t>* left_out = nullptr);

}  // namespace heddle::program
