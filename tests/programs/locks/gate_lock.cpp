// expect: ok
// Opposite lock orders behind a common gate lock cannot meet.
#include <cassert>
#include <mutex>
#include <thread>

std::mutex gate;
std::mutex first;
std::mutex second;
int visits = 0;

void visit(std::mutex& outer, std::mutex& inner) {
  std::lock_guard lock_gate(gate);
  std::lock_guard lock_outer(outer);
  std::lock_guard lock_inner(inner);
  ++visits;
}

int main() {
  std::thread other([] { visit(first, second); });
  visit(second, first);
  other.join();
  assert(visits == 2);
}
