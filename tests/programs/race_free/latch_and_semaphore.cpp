// expect: ok
// detect: race
// executions: 200
// Hand-over by a latch and by semaphores.
#include <latch>
#include <semaphore>
#include <thread>

int value;
std::latch ready(1);
std::binary_semaphore turn(0);

int main() {
  std::thread other([] {
    value = 1;
    ready.count_down();
    turn.acquire();
    value = 3;
  });
  ready.wait();
  value = 2;
  turn.release();
  other.join();
  return value - 3;
}
