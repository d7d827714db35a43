// expect: ok
// exit(0) from a worker ends the process while main waits for it; the atexit handlers run in the worker.
#include <cstdlib>
#include <thread>

std::thread::id expected;

int main() {
  std::atexit([] {
    if (std::this_thread::get_id() != expected) std::_Exit(9);
  });
  std::thread worker([] {
    expected = std::this_thread::get_id();
    std::exit(0);
  });
  worker.join();
  return 8;
}
