// expect: exception
// message: future_error
// Two workers race to answer; both see that nobody has answered yet.
#include <atomic>
#include <future>
#include <thread>

std::promise<int> answer;
std::atomic<bool> answered = false;

void work(int result) {
  if (answered.load()) return;
  answered.store(true);
  answer.set_value(result);
}

int main() {
  auto result = answer.get_future();
  std::thread first(work, 1);
  std::thread second(work, 2);
  result.get();
  first.join();
  second.join();
}
