// Makes traces of any size for measuring analyses, the same for the same numbers.
//
// main forks the other threads and joins them at the end. Each thread in turn enters critical sections, some
// within another one in ascending order of locks, and uses there the variables that belong to the lock;
// between sections it uses variables of its own, reads some that nobody writes any more, and now and then
// touches a guarded variable without its lock.
#pragma once

#include <cstdint>
#include <optional>

#include "trace/trace.h"

namespace heddle::bench {

struct TraceShape {
  uint64_t events = 1'000'000;
  uint32_t threads = 8;
  uint32_t locks = 64;
  uint32_t variables = 17'500;
  uint64_t seed = 1;
  // The mix.
  uint32_t section_percent = 20;    // a thread outside enters a section in its next step
  uint32_t section_length = 6;      // accesses in a section, on average
  uint32_t nested_percent = 10;     // sections with another one inside
  uint32_t write_percent = 40;      // of accesses
  uint32_t unguarded_permille = 2;  // accesses to guarded variables without the lock
  // Its sections are there, but not the lock: what a change would make of the trace that has it.
  std::optional<uint32_t> removed_lock;
};

trace::Trace generate_trace(const TraceShape& shape);

}  // namespace heddle::bench
