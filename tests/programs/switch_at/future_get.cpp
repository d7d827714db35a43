// expect: assertion
// message: window.is_open
// A switch within future::get of a value that another thread has just set: get() does not block.
#include <future>

#include "window.h"

std::promise<int> promise;
std::future<int> future = promise.get_future();
HiddenFlag is_set;

void set() {
  promise.set_value(1);
  is_set.set(1);
}

void operate() {
  if (!is_set.get()) return;
  window.open();
  future.get();
  window.close();
}

int main() {
  const pthread_t setter = start(set);
  watch(operate);
  pthread_join(setter, nullptr);
}
