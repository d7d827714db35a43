// Bars: what the strategies have to reach, judged by what was measured.
#pragma once

#include <string>
#include <vector>

#include "tables.h"

namespace heddle::bench {

struct Results {
  ResultRows first_failures;
  ResultRows scaling;
  ResultRows rates;
};

// Whether every attempt could be made, whatever it found.
bool is_sound(const Results& results);

enum class Verdict { kMet, kNotMet, kNotMeasured };

struct Bar {
  std::string demand;
  std::string figure;  // what was measured, or where it fails
  Verdict verdict = Verdict::kNotMeasured;
};

// Over the subjects that were measured. A bar whose strategies were not is not measured either.
std::vector<Bar> judge(const Results& results);

std::string print_bars(const std::vector<Bar>& bars, bool markdown);

}  // namespace heddle::bench
