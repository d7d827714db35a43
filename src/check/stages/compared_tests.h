// What the stages share that execute tests on both builds.
#pragma once

#include <vector>

#include "check/stages/stage.h"
#include "predict/units.h"

namespace heddle {

// What counts as a unit of work: as `heddle impact` has it.
inline constexpr UnitRule kUnits{UnitRule::Kind::kFunction, 1};

// Why no test of the state can be executed on both builds and compared; empty if some can.
std::string why_not_compared(const CheckState& state);

// Those that matter for the change, in order.
std::vector<const Comparison::Chosen*> tests_that_matter(const CheckState& state);

}  // namespace heddle
