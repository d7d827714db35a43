// Two failures of different kinds, each with one preemption: a lost update, and locks in opposite orders.
#include <cassert>
#include <mutex>
#include <thread>

int counter = 0;
std::mutex left;
std::mutex right;

int main() {
  std::thread first([] {
    counter++;
    std::lock_guard<std::mutex> outer(left);
    std::lock_guard<std::mutex> inner(right);
  });
  std::thread second([] {
    counter++;
    std::lock_guard<std::mutex> outer(right);
    std::lock_guard<std::mutex> inner(left);
  });
  first.join();
  second.join();
  assert(counter == 2);
}
