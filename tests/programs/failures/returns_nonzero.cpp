// expect: exit-code
// The test's own verdict is its exit code.
#include <atomic>
#include <thread>

std::atomic<int> a = 0;
std::atomic<int> b = 0;

int main() {
  int seen_a = 0;
  std::thread other([] {
    a.store(1);
    b.store(1);
  });
  const int seen_b = b.load();
  seen_a = a.load();
  other.join();
  return seen_a == 1 && seen_b == 0 ? 5 : 0;
}
