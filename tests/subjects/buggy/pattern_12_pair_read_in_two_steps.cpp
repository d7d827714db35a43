// expect: detect none
// expect: predict atomicity pattern 12 harmful in locked_read, tick
// A clock shows hours and minutes from two critical sections; the tick changes minutes and hours in one.
// Heddle: pattern 12, the reader sees a time that never was.
// Passes: under the default schedule, where the tick comes afterwards.
#include <cassert>
#include <cstdio>
#include <mutex>
#include <thread>

struct Clock {
  std::mutex mutex;
  int hours = 9;
  int minutes = 59;
};

Clock clock_of_hall;

int locked_read(int& field) {
  std::lock_guard lock(clock_of_hall.mutex);
  return field;
}

void show_clock() {
  const int hours = locked_read(clock_of_hall.hours);
  const int minutes = locked_read(clock_of_hall.minutes);
  assert(hours * 60 + minutes >= 9 * 60 + 59);
}

void tick() {
  std::lock_guard lock(clock_of_hall.mutex);
  clock_of_hall.minutes = 0;
  clock_of_hall.hours = 10;
}

int main() {
  std::thread display(show_clock);
  std::thread ticker(tick);
  display.join();
  ticker.join();
  std::printf("%d:%02d\n", clock_of_hall.hours, clock_of_hall.minutes);
}
