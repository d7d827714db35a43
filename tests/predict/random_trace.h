// Random traces, small enough for Reorderings: programs nobody would write, in which everything happens.
#pragma once

#include <cstdint>
#include <random>

#include "trace/trace.h"

namespace heddle {

struct RandomTrace {
  uint32_t threads = 3;
  uint32_t events = 12;  // about; besides forks and what ends the threads
  uint32_t locks = 2;
  uint32_t variables = 2;
  uint32_t sites = 0;      // 0: every event has a site of its own
  bool forks = false;      // threads are created and joined, else they have been there all along
  bool atomics = false;    // also atomic reads, writes, updates, and failed compare-exchanges
  bool readers = false;    // locks can be shared
  bool try_locks = false;  // with failures
  bool parts = false;      // accesses of 1 to 16 bytes, which overlap
  bool semaphores = false;
  bool heap = false;             // one object is allocated, used and freed
  bool open_sections = false;    // some locks are never released
  bool nested = false;           // lock operations come as nested sections of two locks
  uint32_t lock_percent = 45;    // how many events are lock operations
  uint32_t switch_percent = 80;  // how often another thread has its turn

  trace::Trace make(std::mt19937_64& random) const;

  // All of the above at random, within what Reorderings can do.
  static RandomTrace anything(std::mt19937_64& random);
};

}  // namespace heddle
