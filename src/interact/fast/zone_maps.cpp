#include "interact/fast/zone_maps.h"

#include <cinttypes>
#include <cstdio>
#include <fstream>
#include <string>

#include "interact/fast/kernel/machine.h"

namespace heddle::fast {

std::vector<ZoneMap> zone_maps(uint64_t zone) {
  std::vector<ZoneMap> result;
  std::ifstream file("/proc/self/maps");
  for (std::string line; std::getline(file, line);) {
    uint64_t begin = 0;
    uint64_t end = 0;
    char rights[5] = {};
    if (std::sscanf(line.c_str(), "%" SCNx64 "-%" SCNx64 " %4s", &begin, &end, rights) != 3) continue;
    if (begin < zone || end > zone + kZoneSize) continue;
    result.push_back({begin, end, rights[0] == 'r', rights[1] == 'w', rights[2] == 'x'});
  }
  return result;
}

}  // namespace heddle::fast
