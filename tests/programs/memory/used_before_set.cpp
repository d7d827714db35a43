// expect: crash
// Order violation: the thread uses a pointer that its creator sets after creating it.
#include <thread>

struct Engine {
  int speed = 0;
};
Engine* engine = nullptr;

int main() {
  std::thread driver([] { engine->speed = 5; });
  engine = new Engine;
  driver.join();
  delete engine;
}
