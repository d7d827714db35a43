// A configuration behind std::atomic<std::shared_ptr>: readers take a snapshot while a writer replaces it.
// Alarms: libstdc++ guards the pointer by a bit in the reference count and unlocks it with relaxed order
// after a load, so its own plain accesses look unordered.
// Right: the standard promises that loads and stores of it do not race; users cannot do better.
#include <atomic>
#include <cstdio>
#include <memory>
#include <thread>

struct Settings {
  int width;
  int height;
};

std::atomic<std::shared_ptr<Settings>> current;
bool square[2];

void check(int reader) {
  const std::shared_ptr<Settings> settings = current.load();
  square[reader] = settings->width == settings->height;
}

int main() {
  current.store(std::make_shared<Settings>(Settings{1, 1}));
  std::thread first(check, 0);
  std::thread second(check, 1);
  current.store(std::make_shared<Settings>(Settings{2, 2}));
  first.join();
  second.join();
  std::printf("%d %d\n", square[0], square[1]);
}
