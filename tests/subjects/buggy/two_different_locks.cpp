// expect: detect race any in sell, restock
// expect: predict race harmful in sell, restock
// One counter, two locks: each side takes the one that it knows.
// Heddle: a race although both accesses are under locks.
// Passes: under the default schedule, where one follows the other.
#include <cstdio>
#include <mutex>
#include <thread>

std::mutex sales_lock;
std::mutex goods_lock;
int stock = 10;

void sell() {
  std::lock_guard lock(sales_lock);
  stock = stock - 1;
}

void restock() {
  std::lock_guard lock(goods_lock);
  stock = stock + 20;
}

int main() {
  std::thread seller(sell);
  std::thread buyer(restock);
  seller.join();
  buyer.join();
  std::printf("%d\n", stock);
}
