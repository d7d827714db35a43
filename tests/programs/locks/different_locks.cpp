// expect: assertion
// message: stock == 2
// One counter, two locks: each side takes the one it knows.
#include <cassert>
#include <mutex>
#include <thread>

std::mutex sales_mutex;
std::mutex returns_mutex;
int stock = 2;

void change(std::mutex& mutex, int amount) {
  std::lock_guard lock(mutex);
  stock = stock + amount;
}

int main() {
  std::thread sale([] { change(sales_mutex, -1); });
  std::thread goods_returned([] { change(returns_mutex, 1); });
  sale.join();
  goods_returned.join();
  assert(stock == 2);
}
