// A bounded queue without locks for many producers and consumers: every cell has a turn number.
// Alarms: cells are plain memory that several threads write and read, guarded by no lock.
// Right: a cell belongs to the one whose ticket is its turn; passing the turn on releases, seeing it
// acquires.
#include <atomic>
#include <cstdio>
#include <thread>

struct Cell {
  std::atomic<unsigned> turn{0};
  int value = 0;
};

constexpr unsigned kCells = 2;
Cell cells[kCells];
std::atomic<unsigned> put_ticket{0};
std::atomic<unsigned> take_ticket{0};

void wait_for(const Cell& cell, unsigned turn) {
  while (cell.turn.load(std::memory_order_acquire) != turn) std::this_thread::yield();
}

// The turns of a cell: 0 to be filled, 1 to be emptied, 2 to be filled again, and so on.
void put(int value) {
  const unsigned ticket = put_ticket.fetch_add(1, std::memory_order_relaxed);
  Cell& cell = cells[ticket % kCells];
  wait_for(cell, ticket / kCells * 2);
  cell.value = value;
  cell.turn.store(ticket / kCells * 2 + 1, std::memory_order_release);
}

int take() {
  const unsigned ticket = take_ticket.fetch_add(1, std::memory_order_relaxed);
  Cell& cell = cells[ticket % kCells];
  wait_for(cell, ticket / kCells * 2 + 1);
  const int value = cell.value;
  cell.turn.store(ticket / kCells * 2 + 2, std::memory_order_release);
  return value;
}

int main() {
  std::atomic<int> sum{0};
  std::thread small([] { put(1), put(2); });
  std::thread large([] { put(10), put(20); });
  std::thread one([&] { sum += take(); });
  sum += take() + take() + take();
  small.join();
  large.join();
  one.join();
  std::printf("%d\n", sum.load());
}
