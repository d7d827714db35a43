#include "box_office.h"

#include <algorithm>

namespace tickets {

BoxOffice::BoxOffice(int seats) : free_seats_(seats) {}

bool BoxOffice::sell(int seats) {
  const std::lock_guard lock(mutex_);
  if (free_seats_ < seats) {
    figures_.refused += seats;
    return false;
  }
  free_seats_ -= seats;
  figures_.sold += seats;
  return true;
}

int BoxOffice::sell_some(int seats) {
  const std::lock_guard lock(mutex_);
  const int sold = std::min(seats, free_seats_);
  free_seats_ -= sold;
  figures_.sold += sold;
  figures_.refused += seats - sold;
  return sold;
}

void BoxOffice::take_back(int seats) {
  const std::lock_guard lock(mutex_);
  free_seats_ += seats;
  figures_.returned += seats;
}

void BoxOffice::add_row(int seats) {
  const std::lock_guard lock(mutex_);
  free_seats_ += seats;
}

bool BoxOffice::remove_row(int seats) {
  const std::lock_guard lock(mutex_);
  if (free_seats_ < seats) return false;
  free_seats_ -= seats;
  return true;
}

int BoxOffice::free_seats() const {
  const std::lock_guard lock(mutex_);
  return free_seats_;
}

Figures BoxOffice::figures() const {
  const std::lock_guard lock(mutex_);
  return figures_;
}

}  // namespace tickets
