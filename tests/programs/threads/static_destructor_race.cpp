// expect: assertion
// message: open
// A detached thread still logs while the log's destructor, a static one, runs at exit.
#include <atomic>
#include <cassert>
#include <thread>

struct Log {
  std::atomic<bool> open = true;
  std::atomic<int> lines = 0;
  void write() {
    assert(open.load());
    lines.fetch_add(1);
  }
  ~Log() { open.store(false); }
};
Log file;

int main() {
  std::thread([] {
    for (int i = 0; i < 3; ++i) file.write();
  }).detach();
  file.write();
}
