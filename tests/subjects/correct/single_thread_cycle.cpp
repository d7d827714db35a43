// One thread takes two locks in both orders, one after the other; another thread takes one of them at a time.
// Alarms: the lock-order graph has a cycle.
// Right: both edges belong to one thread, which cannot wait for itself here.
#include <cstdio>
#include <mutex>
#include <thread>

std::mutex left;
std::mutex right;
int left_count = 0;
int right_count = 0;

void both_orders() {
  {
    std::lock_guard outer(left);
    std::lock_guard inner(right);
    ++left_count, ++right_count;
  }
  std::lock_guard outer(right);
  std::lock_guard inner(left);
  ++left_count, ++right_count;
}

void one_at_a_time() {
  {
    std::lock_guard lock(left);
    ++left_count;
  }
  std::lock_guard lock(right);
  ++right_count;
}

int main() {
  std::thread one(both_orders);
  std::thread other(one_at_a_time);
  one.join();
  other.join();
  std::printf("%d %d\n", left_count, right_count);
}
