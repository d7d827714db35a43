// What could go wrong between two calls, by what each of them does alone.
//
// This is an estimate that decides which tests are worth executing first: two calls that only meet in
// critical sections of one lock cannot disturb each other, however long they take. What is feasible,
// prediction and execution decide later.
#pragma once

#include <cstdint>
#include <vector>

#include "generate/call_footprint.h"

namespace heddle::generate {

struct Conflict {
  uint64_t key = 0;  // of the places that take part and how
  uint32_t weight = 0;

  auto operator<=>(const Conflict&) const = default;
};

// Sorted, each once.
//   race          two accesses to one location, one a write, not both atomic, under no common lock
//   intrusion     two accesses of a call that no lock keeps together, and one of the other call that can come
//                 between them and matters to both (patterns 1 to 5, and those over two locations)
//   lock order    each takes the lock that the other one holds
//   waiting       an access of a call that waits, which it makes again once it is woken
//   waking        one waits where the other one wakes, or both wait
std::vector<Conflict> conflicts_of(const CallFootprint& one, const CallFootprint& other);

}  // namespace heddle::generate
