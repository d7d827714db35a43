// What a build said, and what of it a user needs to read.
#pragma once

#include <string>
#include <string_view>

namespace heddle {

// "app/CMakeFiles/queue_test.dir/queue.cpp.o" or "queue_test", as ninja and make name what failed; empty if
// neither does.
std::string failed_target(std::string_view log);

// The part that tells what went wrong: from the first error on, a screen of it.
std::string telling_part(std::string_view log);

}  // namespace heddle
