// What selection has to reach, judged by what was measured.
#pragma once

#include <vector>

#include "common/bar.h"
#include "figures.h"

namespace heddle::bench {

// Over the changes that were measured.
std::vector<Bar> judge(const std::vector<ChangeFigures>& rows);

}  // namespace heddle::bench
