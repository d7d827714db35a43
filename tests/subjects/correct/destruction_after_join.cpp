// A worker that is a member of the object it works on; the destructor stops and joins it.
// Alarms: the members are destroyed by another thread than the one that used them, and one is never locked.
// Right: the join in the destructor comes before the end of the members.
#include <atomic>
#include <cstdio>
#include <string>
#include <thread>

int last_length = 0;

class Logger {
 public:
  Logger() : worker_([this] { run(); }) {}
  ~Logger() {
    stop_ = true;
    worker_.join();
    last_length = static_cast<int>(text_.size());
  }

 private:
  void run() {
    text_ = "a line that is too long to be kept inside of the string";
    while (!stop_) std::this_thread::yield();
    text_ += '\n';
  }

  std::string text_;
  std::atomic<bool> stop_{false};
  std::thread worker_;
};

int main() {
  {
    Logger logger;
  }
  std::printf("%d\n", last_length);
}
