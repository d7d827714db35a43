// Injection: what can go wrong at any time and rarely does, as one more choice of the schedule.
#pragma once

#include <cstdint>
#include <string_view>

#include "support/error.h"

namespace heddle {

// Each happens one time in so many chances; 0: never. What happened is part of the schedule and replays.
struct Injection {
  uint32_t spurious_wakeups = 0;     // a wait on a condition or futex ends although nobody notified
  uint32_t allocation_failures = 0;  // malloc returns null, operator new throws

  bool operator==(const Injection&) const = default;
};

inline constexpr uint32_t kDefaultSpuriousWakeups = 8;
inline constexpr uint32_t kDefaultAllocationFailures = 100;

// "wakeups,allocations:1000": a list, each word optionally with its rate.
Expected<Injection> parse_injection(std::string_view text);

}  // namespace heddle
