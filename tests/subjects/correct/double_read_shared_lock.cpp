// Readers look at a value twice under one shared lock; the writer has the exclusive one.
// Alarms: two reads of one value, and a write that could come between them.
// Right: the shared lock is held from the first read to the second.
#include <cstdio>
#include <mutex>
#include <shared_mutex>
#include <thread>

std::shared_mutex mutex;
int temperature = 20;
bool stable[2];

void measure(int reader) {
  std::shared_lock lock(mutex);
  const int before = temperature;
  const int after = temperature;
  stable[reader] = before == after;
}

void heat() {
  std::lock_guard lock(mutex);
  temperature += 5;
}

int main() {
  std::thread first(measure, 0);
  std::thread heater(heat);
  std::thread second(measure, 1);
  first.join();
  heater.join();
  second.join();
  std::printf("%d %d\n", stable[0], stable[1]);
}
