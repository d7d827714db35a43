// What else there is at a theatre: programmes, hangers in the cloakroom, and a machine that prints tickets.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <mutex>

namespace tickets {

class Cloakroom {
 public:
  static constexpr std::size_t kHangers = 6;

  // Returns the hanger, or -1 if there is none left.
  int hang_up(int coat);

  // The coat; 0 if there is none.
  int give_out(int hanger);

  std::size_t coats() const;
  int hung_up() const;

 private:
  mutable std::mutex mutex_;
  std::array<int, kHangers> hangers_{};
  std::size_t coats_ = 0;
  int hung_up_ = 0;
};

// The check code of a ticket, of all the dots that are printed on it.
std::uint32_t check_code(int visitor, int number);

class Kiosk {
 public:
  void deliver(int programmes);

  // False if there are not so many.
  bool sell(int programmes, int price);

  int stock() const;
  int takings() const;
  double mean_price() const;

 private:
  mutable std::mutex mutex_;
  int stock_ = 0;
  int sold_ = 0;
  int takings_ = 0;
};

}  // namespace tickets
