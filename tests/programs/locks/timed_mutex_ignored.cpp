// expect: assertion
// message: balance == 30
// A time-out while waiting for the lock is taken for success.
#include <cassert>
#include <chrono>
#include <mutex>
#include <thread>

std::timed_mutex mutex;
int balance = 0;

void deposit(int amount) {
  const bool locked = mutex.try_lock_for(std::chrono::hours(1));
  const int before = balance;
  balance = before + amount;
  if (locked) mutex.unlock();
}

int main() {
  std::thread first(deposit, 10);
  std::thread second(deposit, 20);
  first.join();
  second.join();
  assert(balance == 30);
}
