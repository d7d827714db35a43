// expect: assertion
// message: window.is_open
// A switch directly at the assignment of a large struct.
#include "window.h"

struct Record {
  long numbers[20];
};
Record shared;
Record copy;

void operate() {
  window.open();
  copy = shared;
  window.close();
}

void touch_and_look() {
  static_cast<volatile long*>(shared.numbers)[19] = 1;
  look();
}

int main() {
  watch(operate, touch_and_look);
}
