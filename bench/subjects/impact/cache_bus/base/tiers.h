// What a site keeps besides its caches: a store of pages with their checksums, and how well each tier of it
// does.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <vector>

namespace cache {

class PageStore {
 public:
  // A page is written as a new revision of itself.
  int write(int page, int length);
  bool remove(int page);

  std::optional<int> length(int page) const;
  std::size_t pages() const;

 private:
  struct Page {
    int number = 0;
    int length = 0;
  };

  mutable std::mutex mutex_;
  std::vector<Page> pages_;
  int revision_ = 0;
};

// Of the text of a page, which is made from its number, with so many lines.
std::uint64_t checksum(int page, int lines);

enum class Tier { memory, disk, network };

// Hits and misses of each tier.
class TierRates {
 public:
  void hit(Tier tier);
  void miss(Tier tier);

  int lookups() const;

  // In percent; 0 if there was no lookup.
  int rate(Tier tier) const;

 private:
  struct Rate {
    int hits = 0;
    int misses = 0;
  };

  mutable std::mutex mutex_;
  std::array<Rate, 3> rates_{};
  int lookups_ = 0;
};

}  // namespace cache
