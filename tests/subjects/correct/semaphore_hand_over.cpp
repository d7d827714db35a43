// A bounded buffer with two counting semaphores and one owner of each end.
// Alarms: slots and indices are guarded by no lock.
// Right: a slot is filled before its semaphore is released, and emptied before the other one is.
#include <cstdio>
#include <semaphore>
#include <thread>

std::counting_semaphore<2> free_slots{2};
std::counting_semaphore<2> full_slots{0};
int slots[2];

constexpr int kItems = 5;

void produce() {
  for (int item = 0; item < kItems; ++item) {
    free_slots.acquire();
    slots[item % 2] = item;
    full_slots.release();
  }
}

int main() {
  std::thread producer(produce);
  int sum = 0;
  for (int item = 0; item < kItems; ++item) {
    full_slots.acquire();
    sum = sum * 10 + slots[item % 2];
    free_slots.release();
  }
  producer.join();
  std::printf("%d\n", sum);
}
