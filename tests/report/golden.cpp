#include "golden.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

namespace heddle {

void expect_golden(const std::string& name, const std::string& text) {
  std::filesystem::path path = std::filesystem::path(HEDDLE_GOLDEN_DIRECTORY) / name;
  if (std::getenv("HEDDLE_UPDATE_GOLDEN") != nullptr) {
    std::ofstream(path) << text;
    return;
  }
  std::ifstream input(path);
  ASSERT_TRUE(input) << path << " does not exist; HEDDLE_UPDATE_GOLDEN=1 makes it";
  std::ostringstream expected;
  expected << input.rdbuf();
  EXPECT_EQ(expected.str(), text) << "differs from " << path << "; if that is right, HEDDLE_UPDATE_GOLDEN=1";
}

}  // namespace heddle
