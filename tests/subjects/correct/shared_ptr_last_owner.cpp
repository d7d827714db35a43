// Three threads read an object through their own shared_ptr; whoever is last destroys it.
// Alarms: reads in one thread and the destructor in another, with nothing between them but a counter.
// Right: dropping a reference releases, and the one that finds it was the last acquires.
#include <cstdio>
#include <memory>
#include <string>
#include <thread>

struct Picture {
  explicit Picture(std::string title) : title(std::move(title)) {}
  ~Picture() { title.clear(); }
  std::string title;
};

size_t lengths[3];

void show(std::shared_ptr<Picture> picture, int row) {
  lengths[row] = picture->title.size() + row;
}

int main() {
  auto picture = std::make_shared<Picture>("a title that does not fit into the string itself");
  std::thread threads[3];
  for (int row = 0; row < 3; ++row) threads[row] = std::thread(show, picture, row);
  picture.reset();
  for (std::thread& thread : threads) thread.join();
  std::printf("%zu %zu %zu\n", lengths[0], lengths[1], lengths[2]);
}
