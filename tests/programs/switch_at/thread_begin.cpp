// expect: assertion
// message: window.is_open
// A switch between pthread_create and the first step of the new thread.
#include "window.h"

void close_window() {
  window.close();
}

int main() {
  const pthread_t observer = start(look);
  window.open();
  const pthread_t beginning = start(close_window);
  pthread_join(beginning, nullptr);
  pthread_join(observer, nullptr);
}
