// expect: ok
// addresses: matter
// std::counting_semaphore hands over results to one taker, and limits guests that leave if there is no room.
// (Several takers that wait would meet libstdcxx_stale_count.cpp.)
#include <atomic>
#include <cassert>
#include <semaphore>
#include <thread>
#include <vector>

int main() {
  std::counting_semaphore<3> results(0);
  std::counting_semaphore<2> rooms(2);
  std::atomic<int> inside = 0;
  std::atomic<int> sum = 0;
  std::vector<std::thread> guests;
  for (int i = 0; i < 3; ++i) {
    guests.emplace_back([&] {
      if (rooms.try_acquire()) {
        assert(inside.fetch_add(1) < 2);
        inside.fetch_sub(1);
        rooms.release();
      }
      sum.fetch_add(1);
      results.release();
    });
  }
  for (int i = 0; i < 3; ++i) {
    results.acquire();
    assert(sum > i);
  }
  for (auto& guest : guests) guest.join();
}
