// expect: assertion
// A mutex in freed memory says nothing about the mutex that comes to lie there.
#include <cassert>
#include <mutex>
#include <thread>

int value;

// Each caller has a mutex of its own, so it protects nothing; the allocator gives both the same address.
void add() {
  auto* mutex = new std::mutex;
  mutex->lock();
  value++;
  mutex->unlock();
  delete mutex;
}

int main() {
  std::thread first(add);
  std::thread second(add);
  first.join();
  second.join();
  assert(value == 2);
}
