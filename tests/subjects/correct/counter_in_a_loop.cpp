// Workers add to a counter, one critical section for each addition, several in one function.
// Alarms: between two additions of one function call others add, so the call as a whole is not atomic.
// Right: it need not be: additions commute, and each of them is atomic.
#include <cstdio>
#include <mutex>
#include <thread>

std::mutex mutex;
int counter = 0;

void work(int step) {
  for (int i = 0; i < 3; ++i) {
    std::lock_guard lock(mutex);
    counter += step;
  }
}

int main() {
  std::thread ones(work, 1);
  std::thread tens(work, 10);
  ones.join();
  tens.join();
  std::printf("%d\n", counter);
}
