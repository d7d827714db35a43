#include "studio.h"

#include <algorithm>

namespace video {

void Settings::set(int camera, Setting setting) {
  const std::lock_guard lock(mutex_);
  settings_.at(static_cast<std::size_t>(camera)) = setting;
  ++changes_;
}

Setting Settings::of(int camera) const {
  const std::lock_guard lock(mutex_);
  return settings_.at(static_cast<std::size_t>(camera));
}

int Settings::brightest() const {
  const std::lock_guard lock(mutex_);
  std::size_t brightest = 0;
  for (std::size_t camera = 1; camera < kCameras; ++camera) {
    if (settings_[camera].exposure > settings_[brightest].exposure) brightest = camera;
  }
  return static_cast<int>(brightest);
}

int Settings::changes() const {
  const std::lock_guard lock(mutex_);
  return changes_;
}

int Marks::set(int camera, int second) {
  const std::lock_guard lock(mutex_);
  marks_.push_back({next_number_, camera});
  last_second_ = std::max(last_second_, second);
  return next_number_++;
}

bool Marks::remove(int mark) {
  const std::lock_guard lock(mutex_);
  return std::erase_if(marks_, [&](const Mark& set) { return set.number == mark; }) > 0;
}

std::size_t Marks::of(int camera) const {
  const std::lock_guard lock(mutex_);
  std::size_t marks = 0;
  for (const Mark& mark : marks_) marks += mark.camera == camera ? 1 : 0;
  return marks;
}

int Marks::last_second() const {
  const std::lock_guard lock(mutex_);
  return last_second_;
}

}  // namespace video
