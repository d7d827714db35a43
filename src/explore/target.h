// Target: an order of three accesses that another engine wants to see executed.
//
// "An access at A between B and C": a thread executes B, another one then executes A, then the first one
// executes C. B and C are consecutive: between them the thread executes neither again, so that they belong to
// the same round of a loop, or to two rounds that follow each other if B is C.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "explore/observation.h"

namespace heddle {

struct Target {
  // Keys as in Operation::place (place.h).
  uint64_t first = 0;
  uint64_t between = 0;
  uint64_t then = 0;
  bool same_location = false;  // all three access the same bytes, or some of them

  auto operator<=>(const Target&) const = default;
};

// Where an execution has the accesses of a target, by step.
struct Sightings {
  struct Pair {
    uint32_t first = 0;
    uint32_t then = 0;
  };
  std::vector<Pair> pairs;         // consecutive ones
  std::vector<uint32_t> betweens;  // all, also of the same thread
  bool shown = false;
};

Sightings look_for(const Target& target, const Observation& seen);

}  // namespace heddle
