// One result, many readers: each has its own shared_future of one promise.
// Alarms: the result is written by one thread and read by others; what orders them is inside the library.
// Right: get() returns only after set_value() and sees all that came before it.
#include <cstdio>
#include <future>
#include <string>
#include <thread>

std::string prepared;
size_t lengths[2];

void use(std::shared_future<const std::string*> result, int reader) {
  lengths[reader] = result.get()->size();
}

int main() {
  std::promise<const std::string*> promise;
  const std::shared_future<const std::string*> result = promise.get_future().share();
  std::thread first(use, result, 0);
  std::thread second(use, result, 1);
  prepared = "prepared by the main thread, and read by both of the others";
  promise.set_value(&prepared);
  first.join();
  second.join();
  std::printf("%zu %zu\n", lengths[0], lengths[1]);
}
