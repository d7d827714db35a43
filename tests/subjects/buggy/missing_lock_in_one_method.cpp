// expect: detect race any in Inventory::move, Inventory::total
// expect: predict race harmful in Inventory::move, Inventory::total
// A class whose methods take its lock, all but the one that "only reads".
// Heddle: a race of total() with move(), and a schedule that shows a total which was never right.
// Passes: under the default schedule, in which total() comes last.
#include <cstdio>
#include <mutex>
#include <thread>

class Inventory {
 public:
  void move(int amount) {
    std::lock_guard lock(mutex_);
    shelf_ -= amount;
    store_ += amount;
  }
  int total() const { return shelf_ + store_; }

 private:
  std::mutex mutex_;
  int shelf_ = 20;
  int store_ = 0;
};

Inventory inventory;

int main() {
  std::thread mover([] { inventory.move(5); });
  std::thread counter([] { std::printf("total %d\n", inventory.total()); });
  mover.join();
  counter.join();
}
