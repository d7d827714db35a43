// expect: detect race any in Stock::sell, Stock::sell
// expect: predict race harmful in Stock::sell, Stock::sell
// A counter changed by two threads without a lock; an update is lost if both read before one writes.
// Heddle: a happens-before race, and a schedule in which the stock comes out wrong.
// Passes: under the default schedule, where one sale follows the other.
#include <cstdio>
#include <thread>

class Stock {
 public:
  void sell(int amount) { left_ = left_ - amount; }
  int left() const { return left_; }

 private:
  int left_ = 10;
};

int main() {
  Stock stock;
  std::thread one(&Stock::sell, &stock, 2);
  std::thread other(&Stock::sell, &stock, 3);
  one.join();
  other.join();
  std::printf("%d left\n", stock.left());
}
