// expect: crash
// message: SIGSEGV
// Checked for null, taken away, used.
#include <atomic>
#include <thread>

int storage = 1;
std::atomic<int*> current = &storage;

int main() {
  std::thread closer([] { current.store(nullptr); });
  if (current.load()) *current.load() += 1;
  closer.join();
}
