// expect: assertion
// message: window.is_open
// A switch within std::atomic::notify_one, with a thread asleep on the value.
#include <atomic>

#include "window.h"

std::atomic<int> word = 0;

void sleep_on_word() {
  word.wait(0);
}

void operate() {
  word.store(1);
  window.open();
  word.notify_one();
  window.close();
}

int main() {
  const pthread_t sleeper = start(sleep_on_word);
  watch(operate);
  pthread_join(sleeper, nullptr);
}
