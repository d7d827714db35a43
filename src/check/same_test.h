// Whether two commands are the same test, of whatever builds.
#pragma once

#include <string>
#include <vector>

namespace heddle {

// Builds lie in different folders, so of the program the name of its file counts. An empty command is not
// known.
bool is_same_test(const std::vector<std::string>& one, const std::vector<std::string>& other);

}  // namespace heddle
