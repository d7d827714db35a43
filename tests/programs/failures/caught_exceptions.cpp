// expect: ok
// Exceptions thrown and caught in two threads at once, with switches while they unwind.
#include <atomic>
#include <cassert>
#include <stdexcept>
#include <thread>

std::atomic<int> unwound = 0;

struct CountUnwinding {
  ~CountUnwinding() { unwound.fetch_add(1); }
};

int attempt(int input) {
  CountUnwinding count;
  unwound.load();
  if (input % 2 == 0) throw std::invalid_argument("even");
  return input;
}

int work(int input) {
  try {
    return attempt(input);
  } catch (const std::invalid_argument&) {
    try {
      return attempt(input + 2);
    } catch (const std::exception&) {
      unwound.load();
      return attempt(input + 1);
    }
  }
}

int main() {
  int results[2] = {};
  std::thread first([&] { results[0] = work(2); });
  std::thread second([&] { results[1] = work(4); });
  first.join();
  second.join();
  assert(results[0] == 3 && results[1] == 5);
  assert(unwound == 6);
}
