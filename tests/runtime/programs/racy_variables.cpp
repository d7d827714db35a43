// Two threads write to everything at the same two places: two variables, an array, and blocks that were all
// allocated at one place.
#include <thread>

namespace {

int one, other;
int array[100];
int* blocks[20];

[[gnu::noinline]] void write(int* to) {
  *to = 1;
}
[[gnu::noinline]] void write_array(int* to) {
  *to = 2;
}
[[gnu::noinline]] void write_block(int* to) {
  *to = 3;
}

void write_all() {
  write(&one);
  write(&other);
  for (int& element : array) write_array(&element);
  for (int* block : blocks) write_block(block);
}

}  // namespace

int main() {
  for (int*& block : blocks) block = new int;
  std::thread first(write_all), second(write_all);
  first.join();
  second.join();
}
