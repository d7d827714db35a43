#include "foyer.h"

#include <utility>

namespace tickets {

int Cloakroom::hang_up(int coat) {
  const std::lock_guard lock(mutex_);
  for (std::size_t hanger = 0; hanger < kHangers; ++hanger) {
    if (hangers_[hanger] != 0) continue;
    hangers_[hanger] = coat;
    ++coats_;
    ++hung_up_;
    return static_cast<int>(hanger);
  }
  return -1;
}

int Cloakroom::give_out(int hanger) {
  const std::lock_guard lock(mutex_);
  const int coat = std::exchange(hangers_[static_cast<std::size_t>(hanger)], 0);
  if (coat != 0) --coats_;
  return coat;
}

std::size_t Cloakroom::coats() const {
  const std::lock_guard lock(mutex_);
  return coats_;
}

int Cloakroom::hung_up() const {
  const std::lock_guard lock(mutex_);
  return hung_up_;
}

std::uint32_t check_code(int visitor, int number) {
  constexpr std::uint32_t kDots = 60'000;
  std::uint32_t code = ~std::uint32_t{0};
  std::uint32_t dots = static_cast<std::uint32_t>(visitor) << 16 | static_cast<std::uint32_t>(number);
  for (std::uint32_t dot = 0; dot < kDots; ++dot) {
    dots = dots * 1664525 + 1013904223;
    code = (code >> 1) ^ (((code ^ (dots >> 31)) & 1) != 0 ? 0xedb88320 : 0);
  }
  return code;
}

void Kiosk::deliver(int programmes) {
  const std::lock_guard lock(mutex_);
  stock_ += programmes;
}

bool Kiosk::sell(int programmes, int price) {
  const std::lock_guard lock(mutex_);
  if (stock_ < programmes) return false;
  stock_ -= programmes;
  sold_ += programmes;
  takings_ += programmes * price;
  return true;
}

int Kiosk::stock() const {
  const std::lock_guard lock(mutex_);
  return stock_;
}

int Kiosk::takings() const {
  const std::lock_guard lock(mutex_);
  return takings_;
}

double Kiosk::mean_price() const {
  const std::lock_guard lock(mutex_);
  return sold_ == 0 ? 0 : static_cast<double>(takings_) / sold_;
}

}  // namespace tickets
