// NearestName: what a user may have meant by a name that is not known.
#pragma once

#include <string>
#include <vector>

namespace heddle::generate {

// Of those that differ in few letters, the one that differs least; empty if none does.
std::string nearest_name(const std::string& name, const std::vector<std::string>& known);

}  // namespace heddle::generate
