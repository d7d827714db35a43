// expect: assertion
// message: window.is_open
// A switch within promise::set_value.
#include <future>

#include "window.h"

std::promise<int> promise;

void operate() {
  window.open();
  promise.set_value(1);
  window.close();
}

int main() {
  watch(operate);
}
