// Many executions of one test that differ in their seed, one after the other on one fork server.
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

#include "execute/fork_server.h"
#include "support/error.h"

namespace heddle {

struct SeedRange {
  uint64_t first = 0;
  uint64_t last = 0;  // inclusive

  // Saturates for the range of all numbers.
  uint64_t count() const { return last - first == UINT64_MAX ? UINT64_MAX : last - first + 1; }

  bool operator==(const SeedRange&) const = default;
};

// "1-1000".
Expected<SeedRange> parse_seeds(std::string_view text);

// Executes `request` with each seed of the range in order, and shows every execution to `visit` while it is
// valid, until that returns false. Each is the execution that the seed gives alone: nothing is learned on the
// way. Returns how many were made.
Expected<uint64_t> run_seeds(ForkServer& server, ExecutionRequest request, const SeedRange& seeds,
                             const std::function<bool(const ExecutionRequest&, const Execution&)>& visit);

}  // namespace heddle
