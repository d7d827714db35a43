// expect: ok
// detect: race
// executions: 200
// An exception that two threads hold, and the last one destroys.
#include <exception>
#include <string>
#include <thread>

struct Problem {
  explicit Problem(std::string text) : what(std::move(text)) {}
  ~Problem() { what = "gone"; }
  Problem(const Problem&) = default;
  std::string what;
};

std::size_t look(const std::exception_ptr& pointer) {
  try {
    std::rethrow_exception(pointer);
  } catch (const Problem& problem) {
    return problem.what.size();
  }
  return 0;
}

int main() {
  std::exception_ptr pointer;
  try {
    throw Problem("something that is longer than a short string");
  } catch (...) {
    pointer = std::current_exception();
  }
  std::thread first([pointer]() mutable {
    look(pointer);
    pointer = nullptr;
  });
  std::thread second([pointer] { look(pointer); });
  pointer = nullptr;
  first.join();
  second.join();
}
