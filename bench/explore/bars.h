// Bars: what the strategies have to reach, judged by what was measured.
#pragma once

#include <string>
#include <vector>

#include "common/bar.h"
#include "tables.h"

namespace heddle::bench {

struct Results {
  ResultRows first_failures;
  ResultRows scaling;
  ResultRows rates;
};

// Whether every attempt could be made, whatever it found.
bool is_sound(const Results& results);

// Over the subjects that were measured. A bar whose strategies were not is not measured either.
std::vector<Bar> judge(const Results& results);

}  // namespace heddle::bench
