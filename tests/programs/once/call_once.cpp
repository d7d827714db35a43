// expect: ok
// std::call_once: the first call throws and counts as none, the next one does the work, everybody sees it.
#include <cassert>
#include <mutex>
#include <stdexcept>
#include <thread>

std::once_flag once;
int attempts = 0;
int value = 0;

void initialise() {
  if (++attempts == 1) throw std::runtime_error("not yet");
  value = 42;
}

void use() {
  for (;;) {
    try {
      std::call_once(once, initialise);
      break;
    } catch (const std::runtime_error&) {
    }
  }
  assert(value == 42);
}

int main() {
  std::thread first(use);
  std::thread second(use);
  first.join();
  second.join();
  assert(attempts == 2);
}
