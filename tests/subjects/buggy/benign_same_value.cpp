// expect: detect race any in find, find
// expect: predict race benign in find, find
// Both threads may set the flag "found", and both would write the same.
// Heddle: a race by the rules of the language, benign in its outcomes.
// Passes: under every schedule.
#include <cstdio>
#include <thread>

bool found = false;
int numbers[4] = {3, 8, 1, 8};

void find(int from, int to) {
  for (int i = from; i < to; ++i)
    if (numbers[i] == 8) found = true;
}

int main() {
  std::thread lower(find, 0, 2);
  std::thread upper(find, 2, 4);
  lower.join();
  upper.join();
  std::printf("%d\n", found);
}
