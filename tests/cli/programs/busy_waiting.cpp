// Wang, Said and Gupta (ICSE 2011), figure 2: one thread sets a variable, the other one reads it under a lock
// until it is set.
#include <mutex>
#include <thread>

std::mutex mutex;
int is_set = 0;

int main() {
  std::thread setter([] {
    mutex.lock();
    is_set = 1;
    mutex.unlock();
  });
  std::thread waiter([] {
    for (int seen = 0; seen == 0;) {
      mutex.lock();
      seen = is_set;
      mutex.unlock();
    }
  });
  setter.join();
  waiter.join();
}
