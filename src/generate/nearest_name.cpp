#include "generate/nearest_name.h"

#include <algorithm>
#include <numeric>

namespace heddle::generate {
namespace {

// Levenshtein's distance.
size_t different_letters(const std::string& one, const std::string& other) {
  std::vector<size_t> row(other.size() + 1);
  std::iota(row.begin(), row.end(), size_t{0});
  for (size_t i = 0; i < one.size(); ++i) {
    size_t diagonal = row[0];
    row[0] = i + 1;
    for (size_t j = 0; j < other.size(); ++j) {
      const size_t changed = diagonal + (one[i] == other[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({changed, row[j] + 1, row[j + 1] + 1});
    }
  }
  return row.back();
}

}  // namespace

std::string nearest_name(const std::string& name, const std::vector<std::string>& known) {
  std::string nearest;
  size_t fewest = std::max<size_t>(name.size() / 3, 1) + 1;
  for (const std::string& candidate : known) {
    const size_t different = different_letters(name, candidate);
    if (different >= fewest) continue;
    fewest = different;
    nearest = candidate;
  }
  return nearest;
}

}  // namespace heddle::generate
