// expect: ok
// Every read-modify-write operation at 1, 2, 4 and 8 bytes from two threads gives the exact result.
#include <atomic>
#include <cassert>
#include <cstdint>
#include <thread>

template <typename T>
struct Cells {
  std::atomic<T> sum{0}, bits{0}, mask{static_cast<T>(~T{0})}, parity{0}, swapped{0}, strong{0}, weak{0};

  void change(T me) {
    sum.fetch_add(3);
    sum.fetch_sub(1);
    bits.fetch_or(me);
    mask.fetch_and(static_cast<T>(~me));
    parity.fetch_xor(me);
    const T before = swapped.exchange(me);
    assert(before == 0 || before == 3 - me);
    T expected = strong.load();
    while (!strong.compare_exchange_strong(expected, static_cast<T>(expected + 1))) {
    }
    expected = weak.load(std::memory_order_relaxed);
    while (!weak.compare_exchange_weak(expected, static_cast<T>(expected + 5), std::memory_order_acq_rel,
                                       std::memory_order_relaxed)) {
    }
  }

  void check() const {
    assert(sum == 4 && bits == 3 && mask == static_cast<T>(~T{3}) && parity == 3);
    assert((swapped == 1 || swapped == 2) && strong == 2 && weak == 10);
  }
};

template <typename T>
void test() {
  Cells<T> cells;
  std::thread first([&] { cells.change(1); });
  std::thread second([&] { cells.change(2); });
  first.join();
  second.join();
  cells.check();
}

int main() {
  test<uint8_t>();
  test<uint16_t>();
  test<uint32_t>();
  test<uint64_t>();
}
