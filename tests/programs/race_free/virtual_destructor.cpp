// expect: ok
// detect: race
// executions: 200
// An object with virtual functions is destroyed by the thread that joined its user.
#include <memory>
#include <thread>

struct Base {
  virtual ~Base() = default;
  virtual int run() { return 0; }
};
struct Derived : Base {
  int run() override { return value; }
  int value = 1;
};

int main() {
  std::unique_ptr<Base> object = std::make_unique<Derived>();
  int seen = 0;
  std::thread user([&] { seen = object->run(); });
  user.join();
  object.reset();
  return seen - 1;
}
