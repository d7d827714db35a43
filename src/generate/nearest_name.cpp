#include "generate/nearest_name.h"

#include <algorithm>

#include "support/edit_distance.h"

namespace heddle::generate {

std::string nearest_name(const std::string& name, const std::vector<std::string>& known) {
  std::string nearest;
  size_t fewest = std::max<size_t>(name.size() / 3, 1) + 1;
  for (const std::string& candidate : known) {
    const size_t different = edit_distance(name, candidate);
    if (different >= fewest) continue;
    fewest = different;
    nearest = candidate;
  }
  return nearest;
}

}  // namespace heddle::generate
