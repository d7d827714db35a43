// The stage of a check that makes up inputs for the programs that a change is in.
#pragma once

#include <memory>

#include "check/stages/stage.h"

namespace heddle {

std::unique_ptr<Stage> make_interact_stage();

}  // namespace heddle
