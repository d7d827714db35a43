#include "interact/fuzz/coverage.h"

#include <bit>
#include <cstring>

namespace heddle::fuzz {
namespace {

// 1, 2, 3, 4-7, 8-15, 16-31, 32-127, 128 and more.
uint8_t step_of(uint8_t count) {
  if (count < 4) return static_cast<uint8_t>(1U << (count - 1));
  if (count < 32) return static_cast<uint8_t>(1U << std::bit_width(count));
  return count < 128 ? 1U << 6 : 1U << 7;
}

// Few of the counters are not zero.
template <typename Do>
void for_each_edge(std::span<const uint8_t> counters, Do does) {
  constexpr size_t kAtOnce = sizeof(uint64_t);
  size_t i = 0;
  for (; i + kAtOnce <= counters.size(); i += kAtOnce) {
    uint64_t word = 0;
    std::memcpy(&word, counters.data() + i, kAtOnce);
    if (word == 0) continue;
    for (size_t j = i; j < i + kAtOnce; ++j)
      if (counters[j] != 0) does(j);
  }
  for (; i < counters.size(); ++i)
    if (counters[i] != 0) does(i);
}

}  // namespace

NewCoverage Coverage::look(std::span<const uint8_t> counters) {
  NewCoverage result;
  for_each_edge(counters.first(std::min(counters.size(), seen_.size())), [&](size_t edge) {
    ++executions_of_[edge];
    const uint8_t step = step_of(counters[edge]);
    if ((seen_[edge] & step) != 0) return;
    ++(seen_[edge] == 0 ? result.edges : result.counts);
    seen_[edge] |= step;
  });
  reached_ += result.edges;
  return result;
}

std::vector<uint32_t> edges_of(std::span<const uint8_t> counters) {
  std::vector<uint32_t> result;
  for_each_edge(counters, [&](size_t edge) { result.push_back(static_cast<uint32_t>(edge)); });
  return result;
}

}  // namespace heddle::fuzz
