// Two locks are taken in opposite orders, always behind a third one.
// Alarms: the lock-order graph has the cycle first -> second -> first.
// Right: only the thread that holds the gate can be between the two.
#include <cstdio>
#include <mutex>
#include <thread>

std::mutex gate;
std::mutex first;
std::mutex second;
int moved = 0;

void forward() {
  std::lock_guard enter(gate);
  std::lock_guard outer(first);
  std::lock_guard inner(second);
  moved += 3;
}

void backward() {
  std::lock_guard enter(gate);
  std::lock_guard outer(second);
  std::lock_guard inner(first);
  moved -= 1;
}

int main() {
  std::thread one(forward);
  std::thread other(backward);
  one.join();
  other.join();
  std::printf("%d\n", moved);
}
