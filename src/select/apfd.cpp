#include "select/apfd.h"

#include <numeric>

namespace heddle::select {

double apfd(size_t tests, const std::vector<uint32_t>& first_positions) {
  if (tests == 0 || first_positions.empty()) return 0;
  const double n = static_cast<double>(tests);
  const double sum = std::accumulate(first_positions.begin(), first_positions.end(), 0.0);
  return 100 * (1 - sum / (n * static_cast<double>(first_positions.size())) + 1 / (2 * n));
}

}  // namespace heddle::select
