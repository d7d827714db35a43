// A ledger whose methods call each other under one recursive timed mutex.
// Alarms: the inner unlock looks like the end of the critical section, and timed locks are often not known.
// Right: the mutex is free only after the last unlock; both fields change within the outermost section.
#include <chrono>
#include <cstdio>
#include <mutex>
#include <thread>

class Ledger {
 public:
  void book(int amount) {
    lock();
    balance_ += amount;
    count();
    volume_ += amount;
    mutex_.unlock();
  }
  void print() {
    std::lock_guard guard(mutex_);
    std::printf("balance %d, volume %d, bookings %d\n", balance_, volume_, bookings_);
  }

 private:
  void count() {
    lock();
    ++bookings_;
    mutex_.unlock();
  }
  void lock() {
    while (!mutex_.try_lock_for(std::chrono::seconds(1))) std::this_thread::yield();
  }

  std::recursive_timed_mutex mutex_;
  int balance_ = 0;
  int volume_ = 0;
  int bookings_ = 0;
};

int main() {
  Ledger ledger;
  std::thread first([&] { ledger.book(30); });
  std::thread second([&] { ledger.book(12); });
  first.join();
  second.join();
  ledger.print();
}
