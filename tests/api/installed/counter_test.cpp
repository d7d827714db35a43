// A GoogleTest program, one of whose cases has a race that only some schedules show.
#include <mutex>
#include <thread>

#include <gtest/gtest.h>

namespace {

template <class Increment>
void twice(Increment increment) {
  std::thread first(increment), second(increment);
  first.join();
  second.join();
}

TEST(Counter, Locked) {
  int counter = 0;
  std::mutex mutex;
  twice([&] {
    std::lock_guard<std::mutex> lock(mutex);
    ++counter;
  });
  EXPECT_EQ(counter, 2);
}

TEST(Counter, Unlocked) {
  int counter = 0;
  twice([&] { ++counter; });
  EXPECT_EQ(counter, 2);
}

}  // namespace
