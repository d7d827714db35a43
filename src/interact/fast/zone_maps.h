// What is mapped in a zone, as Linux tells it.
#pragma once

#include <cstdint>
#include <vector>

namespace heddle::fast {

struct ZoneMap {
  uint64_t begin;
  uint64_t end;
  bool is_readable;
  bool is_writable;
  bool is_executable;
};

std::vector<ZoneMap> zone_maps(uint64_t zone);

}  // namespace heddle::fast
