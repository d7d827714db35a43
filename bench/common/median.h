#pragma once

#include <algorithm>
#include <vector>

namespace heddle::bench {

// The upper one of the two in the middle, if there are two. There must be at least one value.
template <typename Value>
Value median(std::vector<Value> values) {
  std::ranges::sort(values);
  return values[values.size() / 2];
}

}  // namespace heddle::bench
