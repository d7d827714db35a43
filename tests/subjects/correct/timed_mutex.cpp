// A counter under a timed mutex, taken with every one of its calls.
// Alarms: try_lock_for waits by pthread_mutex_clocklock, which older interceptors do not know.
// Right: each access is made by the thread that holds the mutex, however it came by it.
#include <chrono>
#include <cstdio>
#include <mutex>
#include <thread>

using namespace std::chrono_literals;

std::timed_mutex mutex;
int counter = 0;

void add_for() {
  while (!mutex.try_lock_for(1s)) std::this_thread::yield();
  ++counter;
  mutex.unlock();
}

void add_until() {
  while (!mutex.try_lock_until(std::chrono::system_clock::now() + 1s)) std::this_thread::yield();
  ++counter;
  mutex.unlock();
}

void add() {
  std::lock_guard lock(mutex);
  ++counter;
}

int main() {
  std::thread threads[] = {std::thread(add_for), std::thread(add_until), std::thread(add)};
  for (std::thread& thread : threads) thread.join();
  std::printf("%d\n", counter);
}
