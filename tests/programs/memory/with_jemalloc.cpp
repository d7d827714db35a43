// expect: assertion
// message: *counter == 2
// preload: libjemalloc.so.2
// executions: 200
// addresses: matter
// jemalloc, which keeps caches per thread and locks of its own, in place of glibc's allocator.
#include "churn.h"

extern "C" int mallctl(const char*, void*, size_t*, void*, size_t) __attribute__((weak));

int main() {
  assert(&mallctl != nullptr);
  churn_in_two_threads();
}
