// How soon the order of the tests reveals the regression races that they show.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "check/comparison.h"

namespace heddle {

// New, and a pair of accesses: the base could not do it.
bool is_regression_race(const CheckFinding& finding);

struct OrderMeasure {
  size_t races = 0;              // distinct regression races
  size_t races_of_selected = 0;  // that the selected tests show
  double apfd = 0;               // over all tests; meaningless without races
  double apfd_of_selected = 0;   // likewise
};

// `order`: all tests, the first `selected` of them selected.
OrderMeasure measure_order(const std::vector<CheckFinding>& findings, const std::vector<std::string>& order,
                           size_t selected);

}  // namespace heddle
