// Not deterministic: a file counts how often it was executed, and every second time it writes.
#include <atomic>
#include <fstream>
#include <thread>

std::atomic<int> value;

int main(int, char** arguments) {
  int runs = 0;
  std::ifstream(arguments[1]) >> runs;
  std::ofstream(arguments[1]) << runs + 1;
  std::thread thread([&] {
    if (runs % 2 == 0) {
      value.load();
    } else {
      value.store(1);
    }
  });
  value.load();
  thread.join();
}
