// Statements as people write them.
#pragma once

#include <string>
#include <string_view>

namespace heddle {

// From tokens with one space between: "a . push ( x ) ;" becomes "a.push(x);". Where C++ cannot be told apart
// without a compiler (`T & x` may declare or compute), spaces stay.
std::string readable_text(std::string_view spaced);

}  // namespace heddle
