// The stage of a check that makes up concurrent tests for the classes that a change touches.
#pragma once

#include <memory>

#include "check/stages/stage.h"
#include "cli/progress.h"

namespace heddle {

// The progress must outlive it.
std::unique_ptr<Stage> make_generate_stage(Progress& progress);

}  // namespace heddle
