// What CTest says of a build's tests (ctest --show-only=json-v1).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "suite/test_suite.h"

namespace heddle {

// Tests without a command (not built, or disabled) are unusable. An error if it is not what CTest prints.
Expected<TestSuite> parse_ctest_list(std::string_view json, const std::string& build_folder);

}  // namespace heddle
