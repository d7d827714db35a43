// Bar: something that has to be reached, and whether it was.
#pragma once

#include <string>
#include <vector>

namespace heddle::bench {

enum class Verdict { kMet, kNotMet, kNotMeasured };

struct Bar {
  std::string demand;
  std::string figure;  // what was measured, or where it fails
  Verdict verdict = Verdict::kNotMeasured;
};

const char* to_text(Verdict verdict);
std::string print_bars(const std::vector<Bar>& bars, bool markdown);

}  // namespace heddle::bench
