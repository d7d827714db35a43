// Approval tests: output is compared with a file in golden/. HEDDLE_UPDATE_GOLDEN=1 writes the files instead,
// for review as a diff.
#pragma once

#include <string>

namespace heddle {

// Fails the current test if `text` is not what golden/`name` holds.
void expect_golden(const std::string& name, const std::string& text);

}  // namespace heddle
