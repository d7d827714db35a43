// CPU time of this process and of all that it has started, also of what still runs.
#pragma once

#include <chrono>

namespace heddle {

std::chrono::duration<double> cpu_time_with_children();

}  // namespace heddle
