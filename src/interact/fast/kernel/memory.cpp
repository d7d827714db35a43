#include "interact/fast/kernel/memory.h"

#include <asm/unistd_64.h>
#include <linux/mman.h>

#include <cerrno>

#include "interact/fast/kernel/calls.h"
#include "interact/fast/kernel/files.h"
#include "interact/fast/kernel/raw.h"

namespace heddle::fast {
namespace {

constexpr uint64_t kMostAtOnce = 256;

uint64_t page_up(uint64_t value) {
  return (value + kPage - 1) & ~(kPage - 1);
}

Region* region_of(Machine* machine, uint64_t address) {
  for (size_t i = 0; i < machine->region_count; ++i) {
    Region* const region = &machine->regions[i];
    if (address >= region->begin && address < region->end) return region;
  }
  return nullptr;
}

// The end of what the program may use from there on; 0 if it may not use the address.
uint64_t usable_until(const Machine& machine, const Region& region, uint64_t address) {
  switch (region.kind) {
    case RegionKind::kFixed:
    case RegionKind::kStack:
      return region.end;
    case RegionKind::kHeap:
      return address < page_up(machine.calls.heap_end) ? page_up(machine.calls.heap_end) : 0;
    case RegionKind::kMaps:
      for (uint32_t i = 0; i < machine.calls.mapping_count; ++i) {
        const Mapping& mapping = machine.calls.mappings[i];
        if (address >= mapping.begin && address < mapping.end) return mapping.end;
      }
      return 0;
  }
  return 0;
}

bool make_usable(uint64_t begin, uint64_t end) {
  return raw_call(__NR_mprotect, begin, end - begin, PROT_READ | PROT_WRITE) == 0;
}

bool is_untouched(const Region& region, uint64_t page) {
  const uint64_t index = (page - region.begin) / kPage;
  return region.used[index] == 0 && (region.origins == nullptr || region.origins[index] == nullptr);
}

// A page of zeros, with up to `count` of that kind that the program is likely to use next.
UsedRange neighbours_of(const Region& region, uint64_t page, uint64_t count, uint64_t limit) {
  UsedRange range = {page, page + kPage, nullptr};
  if (region.kind == RegionKind::kStack) {
    while (--count > 0 && range.begin > region.begin && is_untouched(region, range.begin - kPage))
      range.begin -= kPage;
  } else {
    while (--count > 0 && range.end < limit && is_untouched(region, range.end)) range.end += kPage;
  }
  range.used = region.used + (range.begin - region.begin) / kPage;
  return range;
}

bool touch_many(Machine* machine, const UsedRange& range) {
  const uint64_t pages = (range.end - range.begin) / kPage;
  UsedRange* const last = machine->range_count == 0 ? nullptr : &machine->ranges[machine->range_count - 1];
  const bool is_behind = last != nullptr && last->end == range.begin;
  const bool is_before = last != nullptr && last->begin == range.end;
  if (!is_behind && !is_before && machine->range_count == kMostRanges) return false;
  if (!make_usable(range.begin, range.end)) return false;
  for (uint64_t i = 0; i < pages; ++i) range.used[i] = 1;
  if (is_behind) {
    last->end = range.end;
  } else if (is_before) {
    last->begin = range.begin;
    last->used = range.used;
  } else {
    UsedRange* const next = &machine->ranges[machine->range_count++];
    copy_bytes(next, &range, sizeof(range));
  }
  return true;
}

}  // namespace

bool touch(Machine* machine, uint64_t address, bool writes) {
  Region* const region = region_of(machine, address);
  if (region == nullptr) return false;
  const uint64_t page = address & ~(kPage - 1);
  const uint64_t limit = usable_until(*machine, *region, address);
  const uint64_t index = (page - region->begin) / kPage;
  if (limit == 0 || region->used[index] != 0) return false;
  if (!writes && region->is_readable != 0) return false;
  ++machine->faults;
  const uint8_t* const origin = region->origins == nullptr ? nullptr : region->origins[index];
  if (origin == nullptr && machine->faults > kManyFaults) {
    uint64_t count = machine->faults / kManyFaults * 4;
    if (count > kMostAtOnce) count = kMostAtOnce;
    if (touch_many(machine, neighbours_of(*region, page, count, limit))) return true;
  }
  if (machine->used_count == kMostUsed || !make_usable(page, page + kPage)) {
    need_process(machine, "it writes to more memory than can be restored");
    return false;
  }
  region->used[index] = 1;
  machine->used[machine->used_count++] = {page, origin, region->used + index};
  return true;
}

int64_t change_heap_end(Machine* machine, uint64_t end) {
  CallState& calls = machine->calls;
  if (end < machine->heap_begin || end - machine->heap_begin > machine->memory_limit)
    return static_cast<int64_t>(calls.heap_end);
  const uint64_t old = page_up(calls.heap_end);
  if (end > calls.heap_end && calls.mapped + (page_up(end) - old) > machine->memory_limit)
    return static_cast<int64_t>(calls.heap_end);
  if (machine->is_starting != 0 && page_up(end) > old && !make_usable(old, page_up(end)))
    return static_cast<int64_t>(calls.heap_end);
  // What comes back when it grows again is zeros.
  const Region* const region = machine->is_starting != 0 ? nullptr : region_of(machine, machine->heap_begin);
  for (uint64_t page = page_up(end); page < old; page += kPage) {
    if (region == nullptr || region->used[(page - region->begin) / kPage] != 0)
      fill_zero(reinterpret_cast<void*>(page), kPage);
  }
  calls.mapped += page_up(end) - old;
  calls.heap_end = end;
  return static_cast<int64_t>(end);
}

namespace {

// Before main(): a real mapping, at the next free place of the zone.
int64_t map_image(Machine* machine, const MapRequest& request) {
  const uint64_t size = page_up(request.size);
  const bool is_fixed = (request.flags & (MAP_FIXED | MAP_FIXED_NOREPLACE)) != 0;
  uint64_t address = is_fixed ? request.address : machine->images_end;
  const uint64_t begin = machine->zone + kImagesAt;
  if (address < begin || address + size > begin + kImagesSize) return -ENOMEM;
  const int64_t mapped = raw_call(
      __NR_mmap, address, size, request.protection, request.flags | MAP_FIXED,
      static_cast<uint64_t>(static_cast<int64_t>(real_file(*machine, request.descriptor))), request.offset);
  if (mapped < 0) return mapped;
  // A page between mappings stays free: it shows writes beyond an end.
  if (address + size + kPage > machine->images_end) machine->images_end = address + size + kPage;
  if (!is_fixed) machine->calls.mapped += size;
  return mapped;
}

}  // namespace

int64_t map_memory(Machine* machine, const MapRequest& request) {
  if (request.size == 0) return -EINVAL;
  if (request.size > machine->memory_limit) return -ENOMEM;
  const uint64_t size = page_up(request.size);
  CallState& calls = machine->calls;
  if (calls.mapped + size > machine->memory_limit) return -ENOMEM;
  if (machine->is_starting != 0) return map_image(machine, request);
  const bool is_file = (request.flags & MAP_ANONYMOUS) == 0;
  const bool only_reads = is_file && request.protection == PROT_READ;
  if (is_file && !only_reads && (request.flags & MAP_TYPE) != MAP_PRIVATE)
    return need_process(machine, "it writes to a file by memory");
  const bool is_plain = request.protection == (PROT_READ | PROT_WRITE) || only_reads;
  if ((request.flags & (MAP_FIXED | MAP_FIXED_NOREPLACE | MAP_GROWSDOWN)) != 0)
    return need_process(machine, "it maps memory at an address of its choice");
  if ((request.flags & MAP_STACK) != 0) return need_process(machine, "it starts threads or processes");
  if (!is_plain) return need_process(machine, "it maps memory that it cannot read and write");
  if (calls.mapping_count == kMostMappings) return need_process(machine, "it maps many pieces of memory");
  const uint64_t begin = calls.maps_end;
  if (begin + size + kPage > machine->zone + kMapsAt + machine->memory_limit) return -ENOMEM;
  calls.mappings[calls.mapping_count++] = {begin, begin + size};
  calls.maps_end = begin + size + kPage;
  calls.mapped += size;
  if (is_file) {
    const int64_t count = read_file_at(machine, request.descriptor, begin, request.size, request.offset);
    if (count < 0) return count == -EBADF ? -EBADF : -EACCES;
  }
  return static_cast<int64_t>(begin);
}

int64_t unmap_memory(Machine* machine, uint64_t address, uint64_t size) {
  size = page_up(size);
  if (address % kPage != 0 || size == 0) return -EINVAL;
  if (!is_in_zone(*machine, address) || !is_in_zone(*machine, address + size)) return -EINVAL;
  CallState& calls = machine->calls;
  if (machine->is_starting != 0) {
    calls.mapped -= size < calls.mapped ? size : calls.mapped;
    return raw_call(__NR_munmap, address, size);
  }
  for (uint32_t i = 0; i < calls.mapping_count; ++i) {
    if (calls.mappings[i].begin != address || calls.mappings[i].end != address + size) continue;
    Region* const region = region_of(machine, address);
    if (region == nullptr) break;
    // It has no contents any more, and who uses it is to see that.
    raw_call(__NR_madvise, address, size, MADV_DONTNEED);
    raw_call(__NR_mprotect, address, size, PROT_NONE);
    uint8_t* const used = region->used + (address - region->begin) / kPage;
    fill_zero(used, size / kPage);
    size_t kept = 0;
    for (size_t j = 0; j < machine->used_count; ++j) {
      if (machine->used[j].address - address >= size) machine->used[kept++] = machine->used[j];
    }
    machine->used_count = kept;
    if (calls.maps_end == address + size + kPage) calls.maps_end = address;
    calls.mapped -= size;
    calls.mappings[i] = calls.mappings[--calls.mapping_count];
    return 0;
  }
  return need_process(machine, "it gives back memory that it did not map as a whole");
}

int64_t move_memory(Machine* machine, uint64_t address, uint64_t old_size, uint64_t size, uint64_t flags) {
  if (machine->is_starting != 0 || flags != MREMAP_MAYMOVE || size == 0)
    return need_process(machine, "it changes the size of mapped memory");
  old_size = page_up(old_size);
  size = page_up(size);
  if (size == old_size) return static_cast<int64_t>(address);
  const MapRequest request = {0, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, 0, 0};
  const int64_t moved = map_memory(machine, request);
  if (moved < 0) return moved;
  const auto to = static_cast<uint64_t>(moved);
  // Pages that were never used have nothing to copy.
  const Region* const region = region_of(machine, address);
  for (uint64_t offset = 0; region != nullptr && offset < old_size && offset < size; offset += kPage) {
    if (address + offset >= region->end) break;
    if (region->used[(address + offset - region->begin) / kPage] != 0)
      copy_bytes(reinterpret_cast<void*>(to + offset), reinterpret_cast<void*>(address + offset), kPage);
  }
  const int64_t unmapped = unmap_memory(machine, address, old_size);
  return unmapped < 0 ? unmapped : moved;
}

int64_t protect_memory(Machine* machine, uint64_t address, uint64_t size, uint64_t protection) {
  size = page_up(size);
  if (!is_in_zone(*machine, address) || !is_in_zone(*machine, address + size)) return -ENOMEM;
  if (machine->is_starting != 0) return raw_call(__NR_mprotect, address, size, protection);
  return need_process(machine, "it protects memory");
}

int64_t advise_memory(Machine* machine, uint64_t address, uint64_t size, uint64_t advice) {
  if (!is_in_zone(*machine, address) || !is_in_zone(*machine, address + size)) return -ENOMEM;
  if (advice != MADV_DONTNEED) return 0;
  return need_process(machine, "it gives back contents of memory");
}

}  // namespace heddle::fast
