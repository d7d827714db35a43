// expect: ok
// std::atomic wait and notify, one and all, int and bool and flag.
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> stage = 0;
std::atomic<bool> is_open = false;
std::atomic_flag finished = ATOMIC_FLAG_INIT;
int data = 0;

int main() {
  std::thread first([] {
    is_open.wait(false);
    data = 1;
    stage.store(1);
    stage.notify_all();
  });
  std::thread second([] {
    stage.wait(0);
    assert(data == 1);
    finished.test_and_set();
    finished.notify_one();
  });
  is_open.store(true);
  is_open.notify_one();
  finished.wait(false);
  assert(data == 1);
  first.join();
  second.join();
}
