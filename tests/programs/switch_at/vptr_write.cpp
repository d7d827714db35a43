// expect: assertion
// message: window.is_open
// A switch directly at the write of the virtual table pointer in a constructor.
#include <new>

#include "window.h"

class Circle {
 public:
  virtual ~Circle() = default;
};

class Square {
 public:
  virtual ~Square() = default;
};

alignas(Circle) char storage[sizeof(Circle)];

void operate() {
  window.open();
  new (storage) Circle;
  window.close();
}

void touch_and_look() {
  new (storage) Square;
  look();
}

int main() {
  watch(operate, touch_and_look);
}
