// Sells the seats of one performance at several counters.
#pragma once

#include <cstddef>
#include <mutex>

namespace tickets {

struct Figures {
  int sold = 0;
  int returned = 0;
  int refused = 0;
};

class BoxOffice {
 public:
  explicit BoxOffice(int seats);

  // Sells seats that belong together: all or none.
  bool sell(int seats);

  // Sells as many as are left, at most so many. Returns how many.
  int sell_some(int seats);

  void take_back(int seats);

  // Adds a row of seats, or takes one away that nobody has bought.
  void add_row(int seats);
  bool remove_row(int seats);

  int free_seats() const;
  Figures figures() const;

 private:
  mutable std::mutex mutex_;
  int free_seats_;
  Figures figures_;
};

}  // namespace tickets
