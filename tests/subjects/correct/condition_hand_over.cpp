// An order is prepared without a lock, handed over under one, and worked on without a lock by its new owner.
// Alarms: the order itself is never accessed under a lock, so its lock set is empty.
// Right: the hand-over orders everything before it with everything after it.
#include <condition_variable>
#include <cstdio>
#include <memory>
#include <mutex>
#include <thread>

struct Order {
  int amount = 0;
  int price = 0;
};

std::mutex mutex;
std::condition_variable changed;
std::unique_ptr<Order> desk;

void work() {
  std::unique_ptr<Order> mine;
  {
    std::unique_lock lock(mutex);
    changed.wait(lock, [] { return desk != nullptr; });
    mine = std::move(desk);
  }
  mine->price = mine->amount * 3;
  std::printf("%d\n", mine->price);
}

int main() {
  std::thread worker(work);
  auto order = std::make_unique<Order>();
  order->amount = 14;
  {
    std::lock_guard lock(mutex);
    desk = std::move(order);
  }
  changed.notify_one();
  worker.join();
}
