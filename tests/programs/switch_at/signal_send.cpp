// expect: assertion
// message: window.is_open
// A switch directly at the sending of a signal.
#include <csignal>

#include "window.h"

void operate() {
  window.open();
  pthread_kill(pthread_self(), SIGURG);
  window.close();
}

int main() {
  watch(operate);
}
