#include "check/same_test.h"

#include <algorithm>
#include <filesystem>

namespace heddle {

bool is_same_test(const std::vector<std::string>& one, const std::vector<std::string>& other) {
  if (one.empty() || other.empty()) return true;
  return std::filesystem::path(one[0]).filename() == std::filesystem::path(other[0]).filename() &&
         std::equal(one.begin() + 1, one.end(), other.begin() + 1, other.end());
}

}  // namespace heddle
