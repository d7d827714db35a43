// expect: detect none
// expect: predict atomicity pattern 1 harmful in read_salary, write_salary
// A salary is read under the lock and written back under the lock, but the lock is released in between.
// Heddle: pattern 1, an update based on a stale value, with the schedule that loses one of the raises.
// Passes: under the default schedule, where one raise follows the other.
#include <cstdio>
#include <mutex>
#include <thread>

std::mutex mutex;
int salary = 1000;

int read_salary() {
  std::lock_guard lock(mutex);
  return salary;
}

void write_salary(int amount) {
  std::lock_guard lock(mutex);
  salary = amount;
}

void add_to_salary(int by) {
  const int old = read_salary();
  write_salary(old + by);
}

int main() {
  std::thread one(add_to_salary, 50);
  std::thread other(add_to_salary, 70);
  one.join();
  other.join();
  std::printf("%d\n", salary);
}
