// expect: ok
// steps: 100
// What comes before the creation and what comes after the join.
#include "handover.h"

int main() {
  fill();
  std::thread first([] {
    check();
    fill();
  });
  std::thread second([] {
    int unrelated = 0;
    (void)unrelated;
  });
  first.join();
  check();
  fill();
  second.join();
}
