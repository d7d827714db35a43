// How far a name is from another.
#pragma once

#include <cstddef>
#include <string>

namespace heddle {

// Levenshtein's distance: the letters to insert, remove or exchange.
size_t edit_distance(const std::string& one, const std::string& other);

}  // namespace heddle
