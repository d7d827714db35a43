// expect: assertion
// message: window.is_open
// A switch directly at a FUTEX_WAKE that wakes nobody.
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "window.h"

int word = 0;

long futex(int operation, int value) {
  return syscall(SYS_futex, &word, operation, value, nullptr, nullptr, 0);
}

void operate() {
  window.open();
  futex(FUTEX_WAKE_PRIVATE, 1);
  window.close();
}

int main() {
  watch(operate);
}
