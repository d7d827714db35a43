// Shadow: something about every eight bytes (*granule*) of memory that was accessed.
//
// Objects of up to 512 bytes have an array of cells that grows as they are used, larger ones pages of 64
// cells: a variable of its own costs one cell, and so does one of a million in a large array.
#pragma once

#include <bit>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "trace/layout.h"
#include "trace/location_index.h"

namespace heddle::detect {

inline constexpr uint64_t kGranuleBytes = 8;

template <typename Cell>
class Shadow {
 public:
  Cell& at(uint32_t object, uint64_t granule) {
    if (granule < kPage) [[likely]] {
      if (object >= small_.size()) small_.resize(std::max<size_t>(object + 1, small_.size() * 2));
      Small& small = small_[object];
      if (granule < small.count) [[likely]]
        return small.cells[granule];
      grow(small, static_cast<uint32_t>(granule) + 1);
      return small.cells[granule];
    }
    return page(object, granule / kPage)[granule % kPage];
  }

  // Calls action(cell, granule) for each cell of the object, then forgets them.
  template <typename Action>
  void drop(uint32_t object, Action action) {
    if (object < small_.size()) {
      Small& small = small_[object];
      for (uint32_t i = 0; i < small.count; ++i) action(small.cells[i], uint64_t{i});
      bytes_ -= small.count * sizeof(Cell);
      small = {};
    }
    const auto owned = pages_of_.find(object);
    if (owned == pages_of_.end()) return;
    for (const auto& [number, index] : owned->second) {
      Page& page = pages_[number];
      for (uint64_t i = 0; i < kPage; ++i) action(page[i], index * kPage + i);
      page.reset();
      bytes_ -= kPage * sizeof(Cell);
    }
    pages_of_.erase(owned);
  }

  uint64_t bytes() const { return bytes_ + small_.capacity() * sizeof(Small) + pages_.size() * 48; }

 private:
  static constexpr uint64_t kPage = 64;
  struct Small {
    std::unique_ptr<Cell[]> cells;
    uint32_t count = 0;
  };
  using Page = std::unique_ptr<Cell[]>;

  void grow(Small& small, uint32_t wanted) {
    const uint32_t count = std::bit_ceil(wanted);
    auto cells = std::make_unique<Cell[]>(count);
    std::move(small.cells.get(), small.cells.get() + small.count, cells.get());
    bytes_ += (count - small.count) * sizeof(Cell);
    small.cells = std::move(cells);
    small.count = count;
  }

  Page& page(uint32_t object, uint64_t index) {
    const uint32_t number = page_numbers_.number(object, index);
    if (number >= pages_.size()) pages_.resize(number + 1);
    if (pages_[number] == nullptr) {
      pages_[number] = std::make_unique<Cell[]>(kPage);
      pages_of_[object].emplace_back(number, index);
      bytes_ += kPage * sizeof(Cell);
    }
    return pages_[number];
  }

  std::vector<Small> small_;  // by object
  trace::LocationIndex page_numbers_;
  std::vector<Page> pages_;
  std::unordered_map<uint32_t, std::vector<std::pair<uint32_t, uint64_t>>> pages_of_;
  uint64_t bytes_ = 0;
};

// Calls action(granule, bytes) for each granule that the event touches; `bytes` has a bit for each byte of
// it.
template <typename Action>
void for_each_granule(const trace::EventRecord& event, Action action) {
  if (event.size == 0) return;
  const uint64_t begin = event.offset;
  // An access at the end of the address space ends there.
  const uint64_t last = begin + event.size - 1 < begin ? ~uint64_t{0} : begin + event.size - 1;
  uint64_t granule = begin / kGranuleBytes;
  const uint64_t last_granule = last / kGranuleBytes;
  uint8_t bytes = static_cast<uint8_t>(0xff << begin % kGranuleBytes);
  for (; granule < last_granule; ++granule, bytes = 0xff) action(granule, bytes);
  action(granule, static_cast<uint8_t>(bytes & (0xff >> (kGranuleBytes - 1 - last % kGranuleBytes))));
}

}  // namespace heddle::detect
