// The tables of the paper, from what was measured.
#pragma once

#include <string>
#include <vector>

#include "figures.h"

namespace heddle::bench {

// Tests and CPU-seconds of each method.
std::string print_efficiency(const std::vector<ChangeFigures>& rows, bool markdown);
// Potential and real regression races.
std::string print_effectiveness(const std::vector<ChangeFigures>& rows, bool markdown);
std::string print_apfd(const std::vector<ChangeFigures>& rows, bool markdown);
// What recording threads is good for.
std::string print_ablation(const std::vector<ChangeFigures>& rows, bool markdown);
std::string print_analysis(const std::vector<ChangeFigures>& rows, bool markdown);
// Regression races that no selected test reveals, with the tests that do; empty if there is none.
std::string print_missed(const std::vector<ChangeFigures>& rows);
std::string print_troubles(const std::vector<ChangeFigures>& rows);

// "A, B, C and 9 more".
std::string shortened(const std::vector<std::string>& names);
// "12.5%".
std::string share_of(size_t part, size_t whole);

}  // namespace heddle::bench
