// How a trace file stores a command line in one string: words separated by '\n'; within a word, newline and
// backslash are written \n and \\.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace heddle::trace {

std::string join_command(const std::vector<std::string>& words);
std::vector<std::string> split_command(std::string_view text);

}  // namespace heddle::trace
