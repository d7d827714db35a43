// expect: assertion
// message: window.is_open
// A switch directly at a write that lies across two words.
#include <cstdint>

#include "window.h"

struct __attribute__((packed)) Record {
  char tag[5];
  uint64_t length;
};
volatile Record record = {};

void operate() {
  window.open();
  record.length = 2;
  window.close();
}

void touch_and_look() {
  record.length = 1;
  look();
}

int main() {
  watch(operate, touch_and_look);
}
