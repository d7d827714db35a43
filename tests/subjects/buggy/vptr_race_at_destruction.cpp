// expect: detect race any in Task::run
// expect: predict race any in Task::run
// The thread is joined by the destructor of the base class, when the derived part is gone already.
// Heddle: the destructors write the pointer to the virtual table that the thread reads.
// Passes: under the default schedule, where the thread has made its call when the destructors begin.
#include <atomic>
#include <cstdio>
#include <thread>

class Task {
 public:
  virtual ~Task() { thread_.join(); }
  void start() {
    thread_ = std::thread([this] { run(); });
  }

 protected:
  virtual int result() { return 0; }

 private:
  void run() {
    started = true;
    std::printf("result %d\n", result());
  }

  std::thread thread_;

 public:
  std::atomic<bool> started{false};
};

class Search : public Task {
 public:
  ~Search() override { length_ = 0; }

 protected:
  int result() override { return length_; }

 private:
  int length_ = 11;
};

int main() {
  Search search;
  search.start();
  while (!search.started) std::this_thread::yield();
}
