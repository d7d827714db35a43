// expect: assertion
// message: inside
// A guest that could not get a room at once gives back one it never had: later two are in the only room. They
// stay for a while, since try_acquire polls a little before it gives up.
#include <atomic>
#include <cassert>
#include <mutex>
#include <semaphore>
#include <thread>
#include <vector>

std::counting_semaphore<8> rooms(1);
std::atomic<int> inside = 0;

void stay() {
  std::mutex mutex;
  for (int i = 0; i < 30; ++i) std::lock_guard lock(mutex);
}

void visit() {
  if (!rooms.try_acquire()) {
    rooms.release();
    return;
  }
  assert(inside.fetch_add(1) == 0);
  stay();
  inside.fetch_sub(1);
  rooms.release();
}

int main() {
  std::vector<std::thread> guests;
  for (int i = 0; i < 3; ++i) guests.emplace_back(visit);
  for (auto& guest : guests) guest.join();
}
