// Files of a project that are not source.
#pragma once

#include <string>

namespace heddle {

// Not documentation, not what only people, git or CI services look at, and not what steers the build: what
// that does is in the compiler's flags.
bool may_be_read_by_tests(const std::string& file);
// Build files and scripts: how sources are compiled, and tests are run.
bool may_steer_the_build(const std::string& file);

}  // namespace heddle
