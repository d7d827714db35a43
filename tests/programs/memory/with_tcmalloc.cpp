// expect: assertion
// message: *counter == 2
// preload: libtcmalloc_minimal.so.4
// executions: 200
// addresses: matter
// tcmalloc, which keeps caches per thread and locks of its own, in place of glibc's allocator.
#include "churn.h"

extern "C" void MallocExtension_ReleaseFreeMemory(void) __attribute__((weak));

int main() {
  assert(&MallocExtension_ReleaseFreeMemory != nullptr);
  churn_in_two_threads();
}
