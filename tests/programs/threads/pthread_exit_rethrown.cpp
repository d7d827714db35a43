// expect: ok
// Handlers for everything may look at the unwinding of pthread_exit if they pass it on.
#include <pthread.h>

#include <cassert>

int cleaned = 0;

void* work(void*) {
  try {
    pthread_exit(&cleaned);
  } catch (...) {
    ++cleaned;
    throw;
  }
}

int main() {
  pthread_t worker;
  void* result = nullptr;
  pthread_create(&worker, nullptr, work, nullptr);
  pthread_join(worker, &result);
  assert(result == &cleaned && cleaned == 1);
}
