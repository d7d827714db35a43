// expect: assertion
// message: window.is_open
// A switch at the end of a thread, to a thread other than the one that joins it.
#include "window.h"

int main() {
  const pthread_t observer = start(look);
  const pthread_t ending = start([] { window.open(); });
  pthread_join(ending, nullptr);
  window.close();
  pthread_join(observer, nullptr);
}
