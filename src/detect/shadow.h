// Shadow: something about every eight bytes (*granule*) of memory that was accessed.
//
// The first 512 bytes of an object have an array of cells that grows as they are used, the rest pages of 64
// cells: a variable of its own costs one cell, and so does one of a million in a large array. Pages of the
// first megabytes are found by indexing, those far up, as in memory whose offsets are addresses, by hashing.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

#include "trace/granule.h"
#include "trace/layout.h"
#include "trace/location_index.h"

namespace heddle::detect {

using trace::kGranuleBytes;

template <typename Cell>
class Shadow {
 public:
  Cell& at(uint32_t object, uint64_t granule) {
    if (Cell* cell = find(object, granule)) [[likely]]
      return *cell;
    return make(object, granule);
  }

  // Null if there is none yet.
  const Cell* peek(uint32_t object, uint64_t granule) const { return find(object, granule); }

  // The cell will be wanted soon. Inlined by force: gcc takes what only prefetches for a function without
  // effect and leaves out the call.
  [[gnu::always_inline]] void prefetch(uint32_t object, uint64_t granule) const {
    const Cell* cell = find(object, granule);
    __builtin_prefetch(cell, 1);
    if constexpr (sizeof(Cell) > 32) __builtin_prefetch(reinterpret_cast<const char*>(cell + 1) - 1, 1);
  }

  // Calls action(cell, granule) for each cell of the object, then forgets them.
  template <typename Action>
  void drop(uint32_t object, Action action) {
    if (object >= objects_.size()) return;
    Object& where = objects_[object];
    for (uint32_t i = 0; i < where.count; ++i) action(where.cells[i], uint64_t{i});
    bytes_ -= where.count * sizeof(Cell);
    for (uint64_t i = 0; i < where.pages.size(); ++i) drop_page(where.pages[i], i, action);
    where = {};
    const auto far = far_pages_of_.find(object);
    if (far == far_pages_of_.end()) return;
    for (const auto& [number, index] : far->second) drop_page(far_pages_[number], index, action);
    far_pages_of_.erase(far);
  }

  uint64_t bytes() const { return bytes_ + objects_.capacity() * sizeof(Object) + far_pages_.size() * 48; }

 private:
  static constexpr uint64_t kPage = 64;
  static constexpr uint64_t kNearPages = 1 << 14;  // 8 MB of an object
  using Page = std::unique_ptr<Cell[]>;
  struct Object {
    Page cells;               // of the first page, as many as are needed
    std::vector<Page> pages;  // by their number; number 0 is never used
    uint32_t count = 0;
  };

  [[gnu::always_inline]] Cell* find(uint32_t object, uint64_t granule) const {
    if (object >= objects_.size()) [[unlikely]]
      return nullptr;
    const Object& where = objects_[object];
    if (granule < where.count) return &where.cells[granule];
    const uint64_t index = granule / kPage;
    if (index < where.pages.size()) [[likely]] {
      Cell* page = where.pages[index].get();
      return page != nullptr ? page + granule % kPage : nullptr;
    }
    if (index < kNearPages) return nullptr;
    const uint32_t number = far_numbers_.find(object, index);
    if (number == trace::LocationIndex::kNone || far_pages_[number] == nullptr) return nullptr;
    return &far_pages_[number][granule % kPage];
  }

  Cell& make(uint32_t object, uint64_t granule) {
    if (object >= objects_.size()) objects_.resize(std::max<size_t>(object + 1, objects_.size() * 2));
    Object& where = objects_[object];
    if (granule < kPage) {
      grow(where, static_cast<uint32_t>(granule) + 1);
      return where.cells[granule];
    }
    const uint64_t index = granule / kPage;
    bytes_ += kPage * sizeof(Cell);
    if (index < kNearPages) {
      if (index >= where.pages.size()) {
        bytes_ += (index + 1 - where.pages.size()) * sizeof(Page);
        where.pages.resize(index + 1);
      }
      where.pages[index] = std::make_unique<Cell[]>(kPage);
      return where.pages[index][granule % kPage];
    }
    const uint32_t number = far_numbers_.number(object, index);
    if (number >= far_pages_.size()) far_pages_.resize(number + 1);
    far_pages_[number] = std::make_unique<Cell[]>(kPage);
    far_pages_of_[object].emplace_back(number, index);
    return far_pages_[number][granule % kPage];
  }

  void grow(Object& where, uint32_t wanted) {
    const uint32_t count = std::bit_ceil(wanted);
    auto cells = std::make_unique<Cell[]>(count);
    std::move(where.cells.get(), where.cells.get() + where.count, cells.get());
    bytes_ += (count - where.count) * sizeof(Cell);
    where.cells = std::move(cells);
    where.count = count;
  }

  template <typename Action>
  void drop_page(Page& page, uint64_t index, Action& action) {
    if (page == nullptr) return;
    for (uint64_t i = 0; i < kPage; ++i) action(page[i], index * kPage + i);
    page.reset();
    bytes_ -= kPage * sizeof(Cell);
  }

  std::vector<Object> objects_;
  trace::LocationIndex far_numbers_;
  std::vector<Page> far_pages_;
  std::unordered_map<uint32_t, std::vector<std::pair<uint32_t, uint64_t>>> far_pages_of_;
  uint64_t bytes_ = 0;
};

// Calls action(granule, bytes) for each granule that the event touches; `bytes` has a bit for each byte of
// it.
template <typename Action>
inline void for_each_granule(const trace::EventRecord& event, Action action) {
  if (event.size == 0) return;
  const uint64_t begin = event.offset;
  // An access at the end of the address space ends there.
  const uint64_t last = begin + event.size - 1 < begin ? ~uint64_t{0} : begin + event.size - 1;
  const uint64_t last_granule = last / kGranuleBytes;
  auto bytes = static_cast<uint8_t>(0xff << begin % kGranuleBytes);
  for (uint64_t granule = begin / kGranuleBytes;; ++granule, bytes = 0xff) {
    if (granule == last_granule)
      bytes &= static_cast<uint8_t>(0xff >> (kGranuleBytes - 1 - last % kGranuleBytes));
    action(granule, bytes);
    if (granule == last_granule) return;
  }
}

// How many events ahead a cell is asked for: about as long as memory takes to answer.
inline constexpr size_t kPrefetchDistance = 8;

template <typename Cell>
[[gnu::always_inline]] inline void prefetch_cell(const Shadow<Cell>& shadow,
                                                 std::span<const trace::EventRecord> events, size_t index) {
  if (index + kPrefetchDistance >= events.size()) return;
  const trace::EventRecord& event = events[index + kPrefetchDistance];
  if (event.kind == trace::EventKind::kRead || event.kind == trace::EventKind::kWrite)
    shadow.prefetch(event.object, event.offset / kGranuleBytes);
}

}  // namespace heddle::detect
