// The CPU time that this program and its drivers have used: what budgets go by on a machine that has other
// work too.
#pragma once

#include "generate/time_budget.h"

namespace heddle::bench {

// Precise to some ten milliseconds: to read it is not free, and generators ask after each execution.
generate::TimeBudget::Clock cpu_clock();

}  // namespace heddle::bench
