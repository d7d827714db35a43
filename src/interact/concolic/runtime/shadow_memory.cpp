#include "interact/concolic/runtime/shadow_memory.h"

#include <sys/mman.h>

#include "interact/concolic/runtime/expressions.h"

uint8_t heddle_concolic_filter[heddle::concolic::kFilterSize];

namespace heddle::concolic {
namespace {

constexpr uint32_t kPageShift = 12;
constexpr uintptr_t kPageSize = uintptr_t{1} << kPageShift;
constexpr uintptr_t kGranuleSize = uintptr_t{1} << kGranuleShift;
constexpr uint32_t kPageSlots = 1U << 12;
constexpr uint8_t kSaturated = 255;

struct Page {
  uintptr_t number;
  Page* next;
  uint8_t in_use[kPageSize / kGranuleSize];  // bytes with an expression, by granule
  uint32_t handles[kPageSize];
};
Page* pages[kPageSlots];
Page* last_page;

Page** slot_of(uintptr_t number) {
  return &pages[(number ^ number >> 12) & (kPageSlots - 1)];
}

Page* find_page(uintptr_t address) {
  const uintptr_t number = address >> kPageShift;
  if (last_page != nullptr && last_page->number == number) return last_page;
  for (Page* page = *slot_of(number); page != nullptr; page = page->next) {
    if (page->number == number) return last_page = page;
  }
  return nullptr;
}

Page* make_page(uintptr_t address) {
  void* const memory =
      mmap(nullptr, sizeof(Page), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) return nullptr;
  auto* const page = static_cast<Page*>(memory);
  page->number = address >> kPageShift;
  page->next = *slot_of(page->number);
  *slot_of(page->number) = page;
  return last_page = page;
}

// A counter that was saturated once stays: how many it stands for is not known any more.
void count_granule(uintptr_t address, int change) {
  const uintptr_t granule = address >> kGranuleShift;
  for (uintptr_t i = 0; i < 2; ++i) {
    uint8_t& counter = heddle_concolic_filter[(granule - i) & (kFilterSize - 1)];
    if (counter != kSaturated) counter = static_cast<uint8_t>(counter + change);
  }
}

uintptr_t end_of_granule(uintptr_t address) {
  return (address | (kGranuleSize - 1)) + 1;
}

}  // namespace

void set_byte(uintptr_t address, uint32_t handle) {
  Page* page = find_page(address);
  if (page == nullptr) {
    if (handle == 0) return;
    page = make_page(address);
    if (page == nullptr) return;
  }
  const uintptr_t offset = address & (kPageSize - 1);
  uint32_t& place = page->handles[offset];
  uint8_t& in_use = page->in_use[offset >> kGranuleShift];
  if (place == 0 && handle != 0 && in_use++ == 0) count_granule(address, 1);
  if (place != 0 && handle == 0 && --in_use == 0) count_granule(address, -1);
  place = handle;
}

uint32_t byte_at(uintptr_t address) {
  const Page* page = find_page(address);
  return page == nullptr ? 0 : page->handles[address & (kPageSize - 1)];
}

uint32_t load_bytes(uintptr_t address, uint32_t size, uint64_t value) {
  uint32_t handles[8];
  uint32_t any = 0;
  for (uint32_t i = 0; i < size; ++i) {
    const uint32_t handle = byte_at(address + i);
    handles[i] = trusted(8, handle, value >> (8 * i));
    // Somebody else wrote here.
    if (handle != 0 && handles[i] == 0) set_byte(address + i, 0);
    any |= handles[i];
  }
  if (any == 0) return 0;
  uint32_t result = operand(8, handles[0], value);
  for (uint32_t i = 1; i < size; ++i) result = make_concat(operand(8, handles[i], value >> (8 * i)), result);
  return result;
}

void store_bytes(uintptr_t address, uint32_t size, uint32_t handle) {
  for (uint32_t i = 0; i < size; ++i) {
    const uint32_t byte = handle == 0 ? 0 : make_extract(8, handle, 8 * i);
    set_byte(address + i, byte != 0 && is_constant(byte) ? 0 : byte);
  }
}

bool has_expressions(uintptr_t address, size_t size) {
  const uintptr_t end = address + size;
  for (uintptr_t at = address; at < end;) {
    const Page* page = find_page(at);
    if (page == nullptr) {
      at = (at | (kPageSize - 1)) + 1;
      continue;
    }
    const uintptr_t offset = at & (kPageSize - 1);
    if (page->in_use[offset >> kGranuleShift] == 0) {
      at = end_of_granule(at);
      continue;
    }
    if (page->handles[offset] != 0) return true;
    ++at;
  }
  return false;
}

void clear_bytes(uintptr_t address, size_t size) {
  const uintptr_t end = address + size;
  for (uintptr_t at = address; at < end;) {
    const Page* page = find_page(at);
    if (page == nullptr) {
      at = (at | (kPageSize - 1)) + 1;
      continue;
    }
    if (page->in_use[(at & (kPageSize - 1)) >> kGranuleShift] == 0) {
      at = end_of_granule(at);
      continue;
    }
    set_byte(at++, 0);
  }
}

void copy_bytes(uintptr_t to, uintptr_t from, size_t size) {
  if (to == from || size == 0) return;
  if (!has_expressions(from, size)) return clear_bytes(to, size);
  if (to < from) {
    for (size_t i = 0; i < size; ++i) set_byte(to + i, byte_at(from + i));
  } else {
    for (size_t i = size; i-- > 0;) set_byte(to + i, byte_at(from + i));
  }
}

}  // namespace heddle::concolic
