// Three counters sell while somebody watches; whatever they do, no seat is sold twice.
#undef NDEBUG
#include <cassert>
#include <memory>
#include <thread>

#include "box_office.h"

namespace {

constexpr int kSeats = 6;

int families(tickets::BoxOffice& office) {
  return office.sell(3) ? 3 : 0;
}

// A group that changes its mind.
void groups(tickets::BoxOffice& office) {
  const int held = office.sell_some(4);
  assert(held >= 0);
  assert(office.free_seats() >= 0);
  office.take_back(held);
}

void watch(const tickets::BoxOffice& office) {
  const tickets::Figures before = office.figures();
  const int seats = office.free_seats();
  const tickets::Figures after = office.figures();
  assert(seats >= 0 && seats <= kSeats);
  assert(after.sold >= before.sold && after.refused >= before.refused);
  assert(office.free_seats() >= 0);
}

int rows(tickets::BoxOffice& office) {
  if (office.remove_row(1)) office.add_row(1);
  const int held = office.sell_some(2);
  assert(held >= 0);
  return held;
}

}  // namespace

int main() {
  const auto owner = std::make_unique<tickets::BoxOffice>(kSeats);
  tickets::BoxOffice& office = *owner;
  int held[2] = {};

  std::thread watcher([&] { watch(office); });
  std::thread first([&] { groups(office); });
  std::thread second([&] { held[0] = families(office); });
  std::thread third([&] { held[1] = rows(office); });
  watcher.join();
  first.join();
  second.join();
  third.join();

  const tickets::Figures figures = office.figures();
  assert(office.free_seats() >= 0);
  assert(held[0] + held[1] + office.free_seats() == kSeats);
  assert(figures.sold + figures.refused == 3 + 4 + 2);
  assert(figures.returned <= 4);
}
