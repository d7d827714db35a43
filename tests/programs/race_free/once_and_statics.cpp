// expect: ok
// detect: race
// executions: 200
// call_once and a static of a function.
#include <mutex>
#include <string>
#include <thread>

std::once_flag once;
std::string* made;

const std::string& name() {
  static const std::string text = "a text that is longer than a short one";
  return text;
}

void work() {
  std::call_once(once, [] { made = new std::string("the same for all, and long enough"); });
  if (made->size() < name().size() / 4) made = nullptr;
}

int main() {
  std::thread first(work);
  std::thread second(work);
  work();
  first.join();
  second.join();
  delete made;
}
