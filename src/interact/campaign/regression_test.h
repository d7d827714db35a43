// Regression tests of what a campaign has kept: shell scripts that CTest can run.
#pragma once

#include <string>
#include <vector>

#include "interact/campaign/campaign.h"

namespace heddle::interact {

struct RegressionTestRequest {
  std::string name;       // of the script, without .sh
  std::string program;    // the name of what is tested
  std::string file_name;  // of the input file; empty: there is none
  std::string base;       // names of the revisions
  std::vector<std::string> golden;
};

// A script `sh NAME.sh PROGRAM` that fails if the program does not do what is expected: what the golden
// version did, if one says that the head is wrong; what the head did, if one says that it is right; else what
// the base did.
std::string regression_test(const KeptInput& kept, const RegressionTestRequest& request);

// Whether such a test would notice: what differs in messages or files alone, it does not look at.
bool can_be_tested(const KeptInput& kept, const RegressionTestRequest& request);

// A CMakeLists.txt that adds the scripts of its folder as tests of a target.
std::string regression_test_list(const std::vector<std::string>& scripts, const std::string& program);

}  // namespace heddle::interact
