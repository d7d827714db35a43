// The reader's acquire fence comes when the writer's thread has ended already, and so does that of the last
// owner. Alarms: a tool that looks at fences only while there are several threads. Right: the fence follows
// the relaxed load that saw the release, whoever is still there.
#include <atomic>
#include <cstdio>
#include <thread>

struct Order {
  std::atomic<int> owners{2};
  int items = 0;
};

int price = 0;
std::atomic<bool> priced{false};

void release(Order* order) {
  if (order->owners.fetch_sub(1, std::memory_order_release) != 1) return;
  std::atomic_thread_fence(std::memory_order_acquire);
  std::printf("%d\n", order->items);
  delete order;
}

int main() {
  auto* order = new Order;
  std::thread clerk([order] {
    order->items = 3;
    price = 40;
    priced.store(true, std::memory_order_release);
    release(order);
  });
  while (!priced.load(std::memory_order_relaxed)) std::this_thread::yield();
  std::atomic_thread_fence(std::memory_order_acquire);
  price += 2;
  release(order);
  clerk.join();
}
