// Small random executions, for comparison with brute force.
#pragma once

#include <cstdint>

#include "trace/trace.h"

namespace heddle::detect {

// A phase of a barrier is complete when so many have arrived.
inline constexpr uint32_t kBarrierThreads = 2;

struct RandomEvents {
  uint32_t threads = 4;
  uint32_t forked_first = 1;  // that many children exist before anything else happens
  uint32_t locks = 2;
  uint32_t rwlocks = 1;
  uint32_t variables = 2;
  uint32_t atomics = 1;
  uint32_t semaphores = 1;
  uint32_t barriers = 1;
  uint32_t futexes = 1;
  uint32_t onces = 1;
  bool fences = true;
  bool try_locks = true;  // and attempts at semaphores, with failures
  uint32_t length = 40;
};

// Every event has a site of its own. Locks are held by one thread at a time, or for reading by several.
trace::Trace random_events(uint64_t seed, const RandomEvents& shape = {});

}  // namespace heddle::detect
