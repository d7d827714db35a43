// expect: ok
// addresses: matter
// std::barrier with a completion step between phases; one thread drops out after the first.
#include <atomic>
#include <barrier>
#include <cassert>
#include <thread>

int main() {
  int phase = 0;
  std::barrier meeting(3, [&phase]() noexcept { ++phase; });
  auto stay = [&] {
    meeting.arrive_and_wait();
    assert(phase == 1);
    meeting.arrive_and_wait();
    assert(phase == 2);
  };
  std::thread first(stay);
  std::thread second(stay);
  meeting.arrive_and_drop();
  first.join();
  second.join();
  assert(phase == 2);
}
