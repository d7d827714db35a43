// The locks are taken in one order by a thread, and in the other order after that thread has been joined.
// Alarms: the lock-order graph has a cycle of two different threads.
// Right: the second order begins after the first has ended for good.
#include <cstdio>
#include <mutex>
#include <thread>

std::mutex left;
std::mutex right;
int visits = 0;

void visit(std::mutex& outer, std::mutex& inner) {
  std::lock_guard lock_outer(outer);
  std::lock_guard lock_inner(inner);
  ++visits;
}

int main() {
  std::thread early([] { visit(left, right); });
  early.join();
  std::thread late([] { visit(right, left); });
  late.join();
  std::printf("%d\n", visits);
}
