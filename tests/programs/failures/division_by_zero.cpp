// expect: crash
// message: SIGFPE
// The number of workers can be zero between two changes of it.
#include <atomic>
#include <thread>

std::atomic<int> workers = 2;
volatile int share;

int main() {
  std::thread manager([] {
    workers.fetch_sub(2);
    workers.fetch_add(3);
  });
  share = 100 / workers.load();
  manager.join();
}
