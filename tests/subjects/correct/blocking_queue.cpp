// Two producers and a consumer around a std::deque, with a condition variable and a closing flag.
// Alarms: the consumer looks at the queue again and again, and the producers change it in between.
// Right: every look and the action upon it are in one critical section.
#include <condition_variable>
#include <cstdio>
#include <deque>
#include <mutex>
#include <optional>
#include <thread>

class Queue {
 public:
  void push(int item) {
    {
      std::lock_guard lock(mutex_);
      items_.push_back(item);
    }
    changed_.notify_one();
  }
  void close() {
    {
      std::lock_guard lock(mutex_);
      closed_ = true;
    }
    changed_.notify_all();
  }
  std::optional<int> pop() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return closed_ || !items_.empty(); });
    if (items_.empty()) return std::nullopt;
    const int item = items_.front();
    items_.pop_front();
    return item;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<int> items_;
  bool closed_ = false;
};

int main() {
  Queue queue;
  int sum = 0;
  std::thread consumer([&] {
    while (const std::optional<int> item = queue.pop()) sum += *item;
  });
  std::thread ones([&] { queue.push(1), queue.push(2); });
  std::thread tens([&] { queue.push(10), queue.push(20); });
  ones.join();
  tens.join();
  queue.close();
  consumer.join();
  std::printf("%d\n", sum);
}
