// expect: detect race any in Worker::run
// expect: predict race any in Worker::run
// A base class starts a thread in its constructor, which calls a virtual function of the object.
// Heddle: a race on the pointer to the virtual table, which the derived class's constructor still has to
// write.
// Passes: under the default schedule, where the thread starts after the constructors.
#include <cstdio>
#include <thread>

class Worker {
 public:
  Worker() : thread_([this] { run(); }) {}
  virtual ~Worker() = default;
  void wait() { thread_.join(); }

 protected:
  virtual int step() { return 0; }

 private:
  void run() { std::printf("step %d\n", step()); }

  std::thread thread_;
};

class Printer : public Worker {
 protected:
  int step() override { return 7; }
};

int main() {
  Printer printer;
  printer.wait();
}
