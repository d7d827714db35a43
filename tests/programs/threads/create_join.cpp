// expect: ok
// Arguments go in by value and by reference, results come out after join; nothing is shared while both run.
#include <cassert>
#include <functional>
#include <string>
#include <thread>
#include <vector>

void square(int input, int& output) {
  output = input * input;
}

int main() {
  int results[3] = {};
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; ++i) threads.emplace_back(square, i + 1, std::ref(results[i]));
  for (auto& thread : threads) thread.join();
  assert(results[0] == 1 && results[1] == 4 && results[2] == 9);

  std::string text;
  std::jthread writer([&text] { text = "written by a thread that joins by itself"; });
  writer.join();
  assert(text.size() > 30);
  assert(!writer.joinable());
}
