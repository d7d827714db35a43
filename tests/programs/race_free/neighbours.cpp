// expect: ok
// detect: race
// executions: 200
// Two threads, each with its own part of a word.
#include <thread>

struct {
  char a;
  char b;
  short c;
  int d;
} parts;

int main() {
  std::thread first([] {
    for (int i = 0; i < 3; ++i) parts.a++;
  });
  std::thread second([] {
    for (int i = 0; i < 3; ++i) parts.d++;
  });
  for (int i = 0; i < 3; ++i) parts.b++;
  parts.c = 1;
  first.join();
  second.join();
  return parts.a + parts.b + parts.d - 9;
}
