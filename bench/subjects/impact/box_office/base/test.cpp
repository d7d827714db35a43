// Three counters sell while somebody watches, one of them to families, after it has checked old tickets;
// whatever they do, no seat is sold twice. There is business in the foyer, too.
#undef NDEBUG
#include <cassert>
#include <memory>
#include <thread>

#include "box_office.h"
#include "foyer.h"

namespace {

constexpr int kSeats = 6;
constexpr int kRounds = 9;
constexpr int kPrice = 3;
constexpr int kOldTickets = 20;

struct Theatre {
  tickets::BoxOffice office{kSeats};
  tickets::Cloakroom cloakroom;
  tickets::Kiosk kiosk;
};

void be_in_foyer(Theatre& theatre, int visitor) {
  for (int round = 0; round < kRounds; ++round) {
    const int hanger = theatre.cloakroom.hang_up(visitor);
    assert(hanger >= 0);
    theatre.kiosk.deliver(2);
    assert(theatre.kiosk.stock() >= 2);
    assert(theatre.cloakroom.coats() >= 1);
    assert(theatre.kiosk.sell(1, kPrice));
    assert(theatre.kiosk.mean_price() == kPrice);
    assert(theatre.cloakroom.hung_up() > round);
    assert(theatre.kiosk.sell(1, kPrice));
    assert(theatre.cloakroom.give_out(hanger) == visitor);
    assert(theatre.kiosk.takings() >= 2 * kPrice);
  }
}

void check_old_tickets() {
  for (int ticket = 0; ticket < kOldTickets; ++ticket)
    assert(tickets::check_code(1, ticket) != tickets::check_code(1, ticket + 1));
}

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
  const auto owner = std::make_unique<Theatre>();
  Theatre& theatre = *owner;
  tickets::BoxOffice& office = theatre.office;
  int held[2] = {};

  std::thread first([&] {
    groups(office);
    be_in_foyer(theatre, 1);
  });
  std::thread watcher([&] {
    watch(office);
    be_in_foyer(theatre, 2);
  });
  std::thread second([&] {
    held[1] = rows(office);
    be_in_foyer(theatre, 3);
  });
  std::thread third([&] {
    check_old_tickets();
    held[0] = families(office);
    be_in_foyer(theatre, 4);
  });
  first.join();
  watcher.join();
  second.join();
  third.join();

  const tickets::Figures figures = office.figures();
  assert(office.free_seats() >= 0);
  assert(held[0] + held[1] + office.free_seats() == kSeats);
  assert(figures.sold + figures.refused == 3 + 4 + 2);
  assert(figures.returned <= 4);
  assert(theatre.cloakroom.coats() == 0);
  assert(theatre.kiosk.takings() == 4 * kRounds * 2 * kPrice);
}
