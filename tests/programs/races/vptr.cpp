// expect: race
// message: data race on 8 bytes
// detect: race
// executions: 50
// A call of a virtual function while the destructor puts the base class in place.
#include <thread>

struct Base {
  virtual ~Base() { stop(); }
  virtual int run() { return 0; }
  void stop() {
    if (thread.joinable()) thread.join();
  }
  void start() {
    thread = std::thread([this] { seen = run(); });
  }
  std::thread thread;
  int seen = 0;
};
struct Derived : Base {
  int run() override { return 1; }
};

int main() {
  Base* object = new Derived;
  object->start();
  delete object;
}
