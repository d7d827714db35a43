// Open files that heddle-interact-host begins with, besides its error stream.
#pragma once

namespace heddle::fast {

inline constexpr int kHostSocket = 3;
inline constexpr int kHostInFlight = 4;

}  // namespace heddle::fast
