// expect: detect none
// expect: predict atomicity harmful in set_state
// An update marks a device busy, unless it has failed, and later ready; a failure reported in between is
// overwritten.
// Heddle: pattern 5, the value that the other thread wrote is lost.
// Passes: under the default schedule, where the failure comes last and stays.
#include <cstdio>
#include <mutex>
#include <thread>

enum class State { kNew, kBusy, kReady, kFailed };

std::mutex mutex;
State state = State::kNew;

void set_state(State next) {
  std::lock_guard lock(mutex);
  state = next;
}

bool begin() {
  std::lock_guard lock(mutex);
  if (state == State::kFailed) return false;
  state = State::kBusy;
  return true;
}

void update() {
  if (!begin()) return;
  set_state(State::kReady);
}

void fail() {
  set_state(State::kFailed);
}

int main() {
  std::thread updater(update);
  std::thread sensor(fail);
  updater.join();
  sensor.join();
  std::printf("%s\n", state == State::kFailed ? "failed" : "ready");
}
