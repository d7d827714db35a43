// expect: ok
// A queue of packaged tasks run by a worker thread; results come back through their futures.
#include <cassert>
#include <condition_variable>
#include <deque>
#include <future>
#include <mutex>
#include <thread>

std::mutex mutex;
std::condition_variable queued;
std::deque<std::packaged_task<int()>> tasks;

void run_two() {
  for (int i = 0; i < 2; ++i) {
    std::unique_lock lock(mutex);
    queued.wait(lock, [] { return !tasks.empty(); });
    auto task = std::move(tasks.front());
    tasks.pop_front();
    lock.unlock();
    task();
  }
}

std::future<int> submit(int input) {
  std::packaged_task<int()> task([input] { return input * input; });
  auto result = task.get_future();
  std::lock_guard lock(mutex);
  tasks.push_back(std::move(task));
  queued.notify_one();
  return result;
}

int main() {
  std::thread worker(run_two);
  auto first = submit(3);
  auto second = submit(4);
  assert(first.get() + second.get() == 25);
  worker.join();
}
