// Which stores to local variables reach which loads of them, within a function.
#pragma once

#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "program/facts.h"

namespace heddle::program {

// Bytes of an object: [first, end).
struct ByteRange {
  int64_t first = std::numeric_limits<int64_t>::min();
  int64_t end = std::numeric_limits<int64_t>::max();

  bool overlaps(const ByteRange& other) const { return first < other.end && other.first < end; }
  bool contains(const ByteRange& other) const { return first <= other.first && other.end <= end; }
  auto operator<=>(const ByteRange&) const = default;
};

// An access by the variable's own address.
struct LocalAccess {
  uint32_t block = 0;
  uint32_t vertex = 0;
  uint32_t local = 0;  // any number for the variable
  ByteRange bytes;
  bool reads = false;
  bool writes = false;
  bool is_exact = false;  // a write sets all of `bytes`: it hides earlier ones
};

// Pairs (vertex that writes, vertex that reads). `accesses` in the order of execution within each block,
// blocks in any order; of an access that does both, the read comes first.
std::vector<std::pair<uint32_t, uint32_t>> reaching_definitions(const Function& function,
                                                                const std::vector<LocalAccess>& accesses);

}  // namespace heddle::program
