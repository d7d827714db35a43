// Labels of parcels: a register of them, and how often each printer was used.
#pragma once

#include <array>
#include <cstddef>
#include <mutex>
#include <vector>

namespace codec {

class Labels {
 public:
  // False if the parcel has a label.
  bool stick(int parcel, int label);
  bool peel_off(int parcel);

  // 0 if it has none.
  int label(int parcel) const;
  std::size_t size() const;

 private:
  struct Label {
    int parcel = 0;
    int label = 0;
  };

  mutable std::mutex mutex_;
  std::vector<Label> labels_;
};

class Printers {
 public:
  static constexpr std::size_t kPrinters = 3;

  // Prints where fewest was printed. Returns the printer.
  std::size_t print(int pages);
  void refill(std::size_t printer);

  int printed() const;
  int refills() const;

 private:
  mutable std::mutex mutex_;
  std::array<int, kPrinters> pages_{};
  int printed_ = 0;
  int refills_ = 0;
};

}  // namespace codec
