// What generate has to reach, and whether it does.
#pragma once

#include <vector>

#include "common/bar.h"
#include "figures.h"

namespace heddle::bench {

std::vector<Bar> bars(const GenerateFigures& figures, const GenerateSettings& settings);

}  // namespace heddle::bench
