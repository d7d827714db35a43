// Counts the instrumented accesses of a program. Linked with -Wl,--wrap for each entry point below, it stands
// between the program and ThreadSanitizer's runtime and prints "accesses N" to stderr at the end. Compiled
// without instrumentation itself.
#include <atomic>
#include <cstdio>

namespace {

std::atomic<unsigned long> accesses{0};

[[gnu::destructor]] void print_count() {
  std::fprintf(stderr, "accesses %lu\n", accesses.load());
}

}  // namespace

#define HEDDLE_COUNT(name)                              \
  extern "C" void __real___tsan_##name(void* address);  \
  extern "C" void __wrap___tsan_##name(void* address) { \
    accesses.fetch_add(1, std::memory_order_relaxed);   \
    __real___tsan_##name(address);                      \
  }

HEDDLE_COUNT(read1)
HEDDLE_COUNT(read2)
HEDDLE_COUNT(read4)
HEDDLE_COUNT(read8)
HEDDLE_COUNT(read16)
HEDDLE_COUNT(write1)
HEDDLE_COUNT(write2)
HEDDLE_COUNT(write4)
HEDDLE_COUNT(write8)
HEDDLE_COUNT(write16)
