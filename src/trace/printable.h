// printable(): what a file says, as an error may repeat it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace heddle::trace {

// Control characters become \xNN, since a terminal would obey them. Of a long text the beginning and the end
// remain, `limit` bytes together.
std::string printable(std::string_view text, size_t limit = 40);

}  // namespace heddle::trace
