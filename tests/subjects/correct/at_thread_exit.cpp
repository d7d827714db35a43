// A promise that is fulfilled when its thread ends, after the thread's own variables are gone.
// Alarms: the note is written by a destructor of a thread_local, late, and read by a thread that joins
// nobody.
// Right: set_value_at_thread_exit becomes ready after all of those destructors.
#include <cstdio>
#include <future>
#include <thread>

int note = 0;

struct Farewell {
  ~Farewell() { note = 5; }
  int visits = 0;
};

thread_local Farewell farewell;

void work(std::promise<int> promise) {
  promise.set_value_at_thread_exit(3);
  ++farewell.visits;
}

int main() {
  std::promise<int> promise;
  std::future<int> future = promise.get_future();
  std::thread(work, std::move(promise)).detach();
  const int value = future.get();
  std::printf("%d %d\n", value, note);
}
