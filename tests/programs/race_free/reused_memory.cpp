// expect: ok
// detect: race
// executions: 200
// Memory that goes back to the allocator and comes to another thread.
#include <cstdlib>
#include <thread>

int main() {
  const auto work = [] {
    for (int i = 0; i < 4; ++i) {
      auto* block = static_cast<int*>(std::malloc(1 << 17));
      block[0] = i;
      block[1000] = i;
      std::free(block);
      auto* small = static_cast<int*>(std::malloc(24));
      small[1] = i;
      small = static_cast<int*>(std::realloc(small, 4096));
      small[2] = small[1];
      std::free(small);
    }
  };
  std::thread first(work);
  std::thread second(work);
  work();
  first.join();
  second.join();
}
