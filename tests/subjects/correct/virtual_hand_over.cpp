// Shapes are made by one thread, handed over, and measured and destroyed by another, through their base
// class.
// Alarms: constructor and destructor write the pointer to the virtual table, which the other thread reads.
// Right: the hand-over orders the constructor with the call, and nobody else has the shape when it ends.
#include <atomic>
#include <cstdio>
#include <memory>
#include <thread>

struct Shape {
  virtual ~Shape() = default;
  virtual int area() const = 0;
};

struct Square : Shape {
  explicit Square(int side) : side(side) {}
  int area() const override { return side * side; }
  int side;
};

struct Strip : Shape {
  explicit Strip(int length) : length(length) {}
  int area() const override { return length; }
  int length;
};

std::atomic<Shape*> slot{nullptr};

int main() {
  std::thread measurer([] {
    int total = 0;
    for (int shapes = 0; shapes < 2;) {
      const std::unique_ptr<Shape> shape(slot.exchange(nullptr, std::memory_order_acq_rel));
      if (!shape) {
        std::this_thread::yield();
        continue;
      }
      total += shape->area();
      ++shapes;
    }
    std::printf("%d\n", total);
  });
  slot.store(new Square(6), std::memory_order_release);
  while (slot.load(std::memory_order_acquire) != nullptr) std::this_thread::yield();
  slot.store(new Strip(6), std::memory_order_release);
  measurer.join();
}
