// expect: assertion
// message: window.is_open
// A switch at an access in the destructor of thread-specific data.
#include <atomic>

#include "window.h"

pthread_key_t key;
std::atomic<int> word = 0;

void destroy(void*) {
  window.open();
  word.store(1, std::memory_order_relaxed);
  window.close();
}

void operate() {
  pthread_setspecific(key, &key);
}

void touch_and_look() {
  word.store(2, std::memory_order_relaxed);
  look();
}

int main() {
  pthread_key_create(&key, destroy);
  watch(operate, touch_and_look);
}
