// expect: ok
// flags: -mcx16
// A pair of counters in one 16-byte word, changed by compare-and-exchange, read as one.
#include <cassert>
#include <thread>

__extension__ typedef unsigned __int128 Wide;
alignas(16) Wide pair = 0;

void bump_both() {
  Wide seen = __atomic_load_n(&pair, __ATOMIC_SEQ_CST);
  Wide next;
  do {
    next = seen + 1 + (Wide{1} << 64);
  } while (!__atomic_compare_exchange_n(&pair, &seen, next, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST));
}

int main() {
  std::thread first(bump_both);
  std::thread second(bump_both);
  const Wide seen = __atomic_load_n(&pair, __ATOMIC_ACQUIRE);
  assert(static_cast<unsigned long>(seen) == static_cast<unsigned long>(seen >> 64));
  first.join();
  second.join();
  const Wide last = __atomic_exchange_n(&pair, Wide{0}, __ATOMIC_ACQ_REL);
  assert(last == 2 + (Wide{2} << 64));
}
