// Files that are neither source nor seen by people only.
#pragma once

#include <string>

namespace heddle {

// Not documentation, not what only people, git or CI services look at, and not build files: what those do is
// in the compiler's flags.
bool may_be_read_by_tests(const std::string& file);

}  // namespace heddle
