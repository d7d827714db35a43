// expect: ok
// The busy waiting of Wang, Said and Gupta (ICSE 2011, figure 2): a variable is read under a lock until it is
// set. As long as nobody else has used it, nothing shows that the thread waits; it lets go of the lock in
// every second step, and then the other one has to get its turn.
#include <mutex>
#include <thread>

std::mutex mutex;
int is_set = 0;

int main() {
  std::thread waiter([] {
    for (int seen = 0; seen == 0;) {
      mutex.lock();
      seen = is_set;
      mutex.unlock();
    }
  });
  std::thread setter([] {
    mutex.lock();
    is_set = 1;
    mutex.unlock();
  });
  waiter.join();
  setter.join();
}
