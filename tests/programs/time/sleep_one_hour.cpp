// expect: ok
// Sleeps cost no time, but the clocks know: an hour is over, on all of them, and calls of every kind add up.
#include <time.h>
#include <unistd.h>

#include <cassert>
#include <chrono>
#include <thread>

using std::chrono::steady_clock;
using std::chrono::system_clock;

int main() {
  const auto steady_start = steady_clock::now();
  const auto system_start = system_clock::now();
  std::thread sleeper([] { std::this_thread::sleep_for(std::chrono::minutes(30)); });
  sleeper.join();
  sleep(1200);
  usleep(300'000'000);
  timespec five_minutes{300, 0};
  nanosleep(&five_minutes, nullptr);
  assert(steady_clock::now() - steady_start >= std::chrono::hours(1));
  assert(system_clock::now() - system_start >= std::chrono::hours(1));

  timespec wake_up;
  clock_gettime(CLOCK_MONOTONIC, &wake_up);
  wake_up.tv_sec += 60;
  clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &wake_up, nullptr);
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  assert(now.tv_sec >= wake_up.tv_sec);
  std::this_thread::sleep_until(steady_start);
}
