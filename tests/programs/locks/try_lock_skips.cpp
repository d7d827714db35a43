// expect: assertion
// message: logged == 2
// "If the log is busy, try_lock fails and the line is dropped": but both lines are needed.
#include <cassert>
#include <mutex>
#include <thread>

std::mutex mutex;
int logged = 0;

void log_line() {
  if (std::unique_lock lock(mutex, std::try_to_lock); lock) ++logged;
}

int main() {
  std::thread other(log_line);
  log_line();
  other.join();
  assert(logged == 2);
}
