// expect: ok
// Peterson's algorithm excludes two threads under sequential consistency.
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<bool> wants[2] = {false, false};
std::atomic<int> turn = 0;
int inside = 0;

void visit(int me) {
  for (int i = 0; i < 2; ++i) {
    wants[me].store(true);
    turn.store(1 - me);
    while (wants[1 - me].load() && turn.load() == 1 - me) {
    }
    ++inside;
    assert(inside == 1);
    --inside;
    wants[me].store(false);
  }
}

int main() {
  std::thread first(visit, 0);
  std::thread second(visit, 1);
  first.join();
  second.join();
}
