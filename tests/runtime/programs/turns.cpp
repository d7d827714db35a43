// Exits with 1 if another thread gets its turn before the one that runs has to let it go first.
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

std::mutex work;

void make_steps(int count) {
  for (int i = 0; i < count; i += 2) {
    work.lock();
    work.unlock();
  }
}

// Long alone, before there is another thread.
bool begins_early() {
  std::atomic<bool> has_begun = false;
  make_steps(25'000);
  std::thread other([&] { has_begun = true; });
  make_steps(100);
  const bool is_early = has_begun;
  other.join();
  return is_early;
}

// Long while the other thread waits.
bool wakes_early() {
  std::mutex mutex;
  std::condition_variable condition;
  bool is_ready = false;
  std::atomic<bool> waits = false;
  std::atomic<bool> is_awake = false;
  std::thread other([&] {
    std::unique_lock lock(mutex);
    waits = true;
    condition.wait(lock, [&] { return is_ready; });
    is_awake = true;
  });
  while (!waits) std::this_thread::yield();
  make_steps(25'000);
  {
    const std::lock_guard lock(mutex);
    is_ready = true;
  }
  condition.notify_one();
  make_steps(100);
  const bool is_early = is_awake;
  other.join();
  return is_early;
}

// The other thread looks at a flag, and what changes is next to it.
bool looks_in_vain() {
  struct alignas(8) {
    std::atomic<int> flag = 0;
    std::atomic<int> beside = 0;
  } shared;
  std::atomic<int> looks = 0;
  std::thread other([&] {
    int own = 0;  // no change that others could wait for
    while (shared.flag == 0) ++own;
    looks = own;
  });
  for (int i = 0; i < 20; ++i) {
    ++shared.beside;
    std::this_thread::yield();
  }
  shared.flag = 1;
  other.join();
  return looks > 10;
}

int main(int, char** argv) {
  const std::string what = argv[1];
  if (what == "alone") return begins_early() ? 1 : 0;
  if (what == "blocked") return wakes_early() ? 1 : 0;
  return looks_in_vain() ? 1 : 0;
}
