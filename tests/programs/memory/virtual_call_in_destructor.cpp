// expect: assertion
// message: half-destroyed
// An object's destructor stops its thread, too late: the virtual call goes to the base class by then.
#include <cassert>
#include <memory>
#include <thread>

class Task {
 public:
  Task() = default;
  virtual ~Task() { thread_.join(); }
  void start() {
    thread_ = std::thread([this] { run(); });
  }
  virtual void run() { assert(!"run() of a half-destroyed task"); }

 private:
  std::thread thread_;
};

class Print : public Task {
 public:
  void run() override { printed_ = true; }

 private:
  bool printed_ = false;
};

int main() {
  std::unique_ptr<Task> task = std::make_unique<Print>();
  task->start();
}
