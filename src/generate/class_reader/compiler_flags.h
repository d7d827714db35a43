// Which of a build's compiler flags decide what a header means to Clang.
#pragma once

#include <string>
#include <vector>

namespace heddle::generate {

// Without inputs, outputs, warnings, and whatever Clang does not know: none of these is to keep a header from
// being read.
std::vector<std::string> reading_flags(const std::vector<std::string>& flags);

}  // namespace heddle::generate
