// What the figures were measured on; figures without it mean nothing.
#pragma once

#include <string>
#include <vector>

namespace heddle::bench {

// One line each: processor and cores, kernel, C library, then the first line of `COMPILER --version`.
std::vector<std::string> describe_machine(const std::vector<std::string>& compilers);

// The first line that a shell command prints.
std::string first_line_of(const std::string& command);

}  // namespace heddle::bench
