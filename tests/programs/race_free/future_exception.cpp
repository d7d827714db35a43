// expect: ok
// detect: race
// executions: 200
// A promise hands over an exception, a shared_future shows it to two.
#include <future>
#include <stdexcept>
#include <thread>

int main() {
  std::promise<int> promise;
  std::shared_future<int> result = promise.get_future().share();
  const auto look = [](std::shared_future<int> mine) {
    try {
      mine.get();
    } catch (const std::runtime_error& error) {
      return error.what()[0] == 'n' ? 0 : 1;
    }
    return 1;
  };
  std::thread first(look, result);
  std::thread second(look, std::move(result));
  promise.set_exception(std::make_exception_ptr(std::runtime_error("no")));
  first.join();
  second.join();
}
