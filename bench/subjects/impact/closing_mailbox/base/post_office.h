// What else there is at a post office: parcels on shelves, stamps, and a list of forwarding addresses.
#pragma once

#include <array>
#include <cstddef>
#include <mutex>
#include <vector>

namespace mail {

class Shelves {
 public:
  static constexpr std::size_t kShelves = 6;

  // Returns the shelf, or -1 if all are taken.
  int store(int parcel);

  // What was on the shelf; 0 if there was nothing.
  int fetch(int shelf);

  std::size_t free() const;
  int stored() const;

 private:
  mutable std::mutex mutex_;
  std::array<int, kShelves> parcels_{};
  int stored_ = 0;
};

// The least number of stamps of 7, 11 and 23 that make up just this postage; -1 if there is no way to.
int fewest_stamps(int postage);

class Forwarding {
 public:
  void set(int from, int to);
  bool cancel(int from);

  // Where letters to an address go: to itself if nothing else is known.
  int look_up(int address) const;
  std::size_t size() const;

 private:
  struct Address {
    int from = 0;
    int to = 0;
  };

  mutable std::mutex mutex_;
  std::vector<Address> addresses_;
};

}  // namespace mail
