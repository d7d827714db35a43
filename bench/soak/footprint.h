// Footprint: what this process and everything it started hold on to.
#pragma once

#include <cstdint>

namespace heddle::bench {

struct Footprint {
  uint64_t tool_kb = 0;      // resident memory of this process
  uint64_t others_kb = 0;    // of its descendants
  uint64_t shared_kb = 0;    // of the files in memory that they talk through
  uint64_t descriptors = 0;  // of all of them
  uint64_t processes = 0;    // descendants, zombies included
  uint64_t threads = 0;      // of all of them
};

Footprint measure_footprint();

}  // namespace heddle::bench
