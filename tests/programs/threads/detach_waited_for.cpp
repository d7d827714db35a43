// expect: ok
// A detached thread says when it is done with everything that main owns; main waits for that, and the thread
// may still be running when the process ends.
#include <atomic>
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>

// Never destroyed: the detached thread may be inside unlock() when main returns.
struct Handshake {
  std::mutex mutex;
  std::condition_variable finished;
  bool done = false;
};
std::atomic<int> after = 0;

int main() {
  auto* handshake = new Handshake;
  int result = 0;
  std::thread([handshake, &result] {
    result = 42;
    {
      std::lock_guard lock(handshake->mutex);
      handshake->done = true;
      handshake->finished.notify_one();
    }
    after.fetch_add(1);
    after.fetch_add(1);
  }).detach();

  std::unique_lock lock(handshake->mutex);
  handshake->finished.wait(lock, [&] { return handshake->done; });
  assert(result == 42);
  assert(after.load() <= 2);
}
