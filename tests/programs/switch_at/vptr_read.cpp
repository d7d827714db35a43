// expect: assertion
// message: window.is_open
// A switch directly at the read of the virtual table pointer in a virtual call.
#include <new>

#include "window.h"

class Shape {
 public:
  virtual ~Shape() = default;
  virtual void draw() { window.close(); }
};

class Circle : public Shape {
 public:
  void draw() override { window.close(); }
};

alignas(Shape) char storage[sizeof(Shape)];
Shape* volatile shape = new (storage) Shape;

void operate() {
  Shape* mine = shape;
  window.open();
  mine->draw();
}

// Another class: ThreadSanitizer does not count a write that leaves the pointer as it is.
void touch_and_look() {
  new (storage) Circle;
  look();
}

int main() {
  watch(operate, touch_and_look);
}
