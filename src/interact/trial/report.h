// What sanitizers and assert() say on a program's standard error, as one line that can be compared: without
// addresses, process numbers and folders.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "symbolize/symbolizer.h"

namespace heddle::interact {

struct SplitErrors {
  std::string rest;    // what the program says itself
  std::string report;  // "" if there is none; several are separated by "; "
};

// Innermost frame first, of a position in a module.
using NamedPosition = std::function<const std::vector<Frame>&(const std::string& module, uint64_t offset)>;

// `program`: the path of the executable; its frames are preferred to those of libraries.
SplitErrors split_errors(std::string_view err, std::string_view program, const NamedPosition& name);

// Whether a report says that a resource was used up, which is not wrong in itself.
bool is_about_resources(std::string_view report);

}  // namespace heddle::interact
