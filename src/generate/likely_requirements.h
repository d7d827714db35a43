// The requirements that a test of two calls could show, by what each of them does alone.
//
// Their keys are those that prediction finds (requirements.h), so it is known which of them are covered, and
// a test promises what is not. It is an estimate: alone, a call may do something else than beside another
// one, and what is feasible, prediction and execution decide. Of locations that both calls access at the same
// places, as the characters of a text, two stand for all.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "generate/call_footprint.h"

namespace heddle::generate {

struct MethodCall {
  const CallFootprint& footprint;
  std::string_view method;  // as requirements name it
};

// Sorted, each once: races and the fourteen patterns.
std::vector<uint64_t> likely_requirements(const MethodCall& one, const MethodCall& other);

}  // namespace heddle::generate
