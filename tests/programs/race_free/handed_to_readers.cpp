// expect: ok
// detect: race
// executions: 200
// Readers of each other in no order, then a writer that a semaphore orders after both.
#include <semaphore>
#include <thread>

int value;
int seen[2];
std::counting_semaphore<2> done(0);

int main() {
  value = 1;
  const auto read = [](int i) {
    seen[i] = value;
    done.release();
  };
  std::thread first(read, 0);
  std::thread second(read, 1);
  done.acquire();
  done.acquire();
  value = 2;
  first.join();
  second.join();
  return seen[0] + seen[1] - 2;
}
