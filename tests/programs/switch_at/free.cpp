// expect: assertion
// message: window.is_open
// A switch directly at free() of a block that several threads have used.
#include <cstdlib>

#include "window.h"

volatile int* block = nullptr;

void use() {
  *block = *block + 1;
}

void operate() {
  use();
  int* mine = const_cast<int*>(block);
  window.open();
  std::free(mine);
  window.close();
}

int main() {
  block = static_cast<int*>(std::calloc(1, sizeof(int)));
  const pthread_t first_user = start(use);
  use();
  pthread_join(first_user, nullptr);
  watch(operate);
}
