#include "interact/fast/program_memory.h"

#include <sys/mman.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include <fmt/format.h>

#include "interact/fast/zone_maps.h"
#include "support/check.h"

namespace heddle::fast {
namespace {

// More than that is what an unusual run needed.
constexpr size_t kMostKept = kMostUsed / 2;
constexpr uint32_t kRunsBetweenProtections = 1024;
// After so many runs with few faults, one with many is unusual.
constexpr uint32_t kQuietRuns = 32;

constexpr uint64_t kAnonymous = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;

bool has_only_zeros(const uint8_t* page) {
  return page[0] == 0 && std::memcmp(page, page + 1, kPage - 1) == 0;
}

bool reserve_at(uint64_t begin, uint64_t size, int protection) {
  return ::mmap(reinterpret_cast<void*>(begin), size, protection, kAnonymous | MAP_FIXED_NOREPLACE, -1, 0) ==
         reinterpret_cast<void*>(begin);
}

Region* region_at(Machine* machine, uint64_t address) {
  for (size_t i = 0; i < machine->region_count; ++i) {
    if (address >= machine->regions[i].begin && address < machine->regions[i].end)
      return &machine->regions[i];
  }
  return nullptr;
}

}  // namespace

ProgramMemory::~ProgramMemory() {
  for (const HostMemory& memory : allocated_) ::munmap(memory.address, memory.size);
  ::munmap(reinterpret_cast<void*>(machine_->zone), kZoneSize);
}

void* ProgramMemory::allocate(size_t size) {
  void* const memory = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, kAnonymous, -1, 0);
  if (memory == MAP_FAILED) return nullptr;
  allocated_.push_back({memory, size});
  return memory;
}

Expected<void> ProgramMemory::reserve() {
  const uint64_t limit = machine_->memory_limit;
  const uint64_t zone = machine_->zone;
  if (!reserve_at(zone + kPatchesAt, kPatchesSize, PROT_READ | PROT_WRITE) ||
      !reserve_at(zone + kFeedbackAt, (sizeof(HeddleFastFeedback) + kPage - 1) & ~(kPage - 1),
                  PROT_READ | PROT_WRITE) ||
      !reserve_at(zone + kHeapAt, limit, PROT_NONE) || !reserve_at(zone + kMapsAt, limit, PROT_NONE) ||
      !reserve_at(zone + kStackTopAt - kStackSize, kStackSize, PROT_READ | PROT_WRITE))
    return internal_error(fmt::format("cannot reserve addresses for a program: {}", std::strerror(errno)));
  machine_->heap_begin = zone + kHeapAt;
  machine_->feedback = reinterpret_cast<HeddleFastFeedback*>(zone + kFeedbackAt);
  return {};
}

// Those that are not zeros.
bool ProgramMemory::copy_pages(uint64_t begin, uint64_t end, const uint8_t** origins) {
  std::vector<uint64_t> pages;
  for (uint64_t page = begin; page < end; page += kPage) {
    if (!has_only_zeros(reinterpret_cast<const uint8_t*>(page))) pages.push_back(page);
  }
  if (pages.empty()) return true;
  auto* copy = static_cast<uint8_t*>(allocate(pages.size() * kPage));
  if (copy == nullptr) return false;
  uint8_t* const copies = copy;
  for (const uint64_t page : pages) {
    std::memcpy(copy, reinterpret_cast<const void*>(page), kPage);
    origins[(page - begin) / kPage] = copy;
    copy += kPage;
  }
  snapshot_bytes_ += pages.size() * kPage;
  return ::mprotect(copies, pages.size() * kPage, PROT_READ) == 0;
}

Expected<void> ProgramMemory::add_region(uint64_t begin, uint64_t end, RegionKind kind, bool is_readable,
                                         uint64_t filled) {
  if (machine_->region_count == kMostRegions)
    return usage_error("it has more pieces of memory before main() than can be restored");
  const size_t pages = (end - begin) / kPage;
  auto* const used = static_cast<uint8_t*>(allocate(pages));
  const size_t origins_size = pages * sizeof(uint8_t*);
  auto** const origins = static_cast<const uint8_t**>(allocate(origins_size));
  if (used == nullptr || origins == nullptr || !copy_pages(begin, filled, origins))
    return internal_error("there is no memory for a program's pages");
  machine_->regions[machine_->region_count++] = {begin, end, kind, is_readable, used, origins};
  ::mprotect(origins, origins_size, PROT_READ);
  ::mprotect(reinterpret_cast<void*>(begin), end - begin, is_readable ? PROT_READ : PROT_NONE);
  return {};
}

Expected<void> ProgramMemory::take_snapshot() {
  const uint64_t zone = machine_->zone;
  const uint64_t heap_end = (machine_->calls.heap_end + kPage - 1) & ~(kPage - 1);
  const uint64_t stack_end = zone + kStackTopAt;
  const uint64_t images = zone + kImagesAt;
  std::vector<ZoneMap> writable;
  for (const ZoneMap& map : zone_maps(zone)) {
    if (map.begin >= images && map.begin < images + kImagesSize && map.is_writable) writable.push_back(map);
  }
  // The stack first: it is asked for most often.
  Expected<void> done = add_region(stack_end - kStackSize, stack_end, RegionKind::kStack, true, stack_end);
  for (const ZoneMap& map : writable) {
    if (done) done = add_region(map.begin, map.end, RegionKind::kFixed, map.is_readable, map.end);
  }
  if (done)
    done = add_region(zone + kHeapAt, zone + kHeapAt + machine_->memory_limit, RegionKind::kHeap, false,
                      heap_end);
  if (done)
    done = add_region(zone + kMapsAt, zone + kMapsAt + machine_->memory_limit, RegionKind::kMaps, false,
                      zone + kMapsAt);
  return done;
}

// Nothing is left of what was used many pages at a time.
void ProgramMemory::forget_ranges() {
  for (size_t i = 0; i < machine_->range_count; ++i) {
    const UsedRange& range = machine_->ranges[i];
    const Region* const region = region_at(machine_, range.begin);
    HEDDLE_CHECK(region != nullptr);
    void* const address = reinterpret_cast<void*>(range.begin);
    const uint64_t size = range.end - range.begin;
    ::madvise(address, size, MADV_DONTNEED);
    ::mprotect(address, size, region->is_readable != 0 ? PROT_READ : PROT_NONE);
    std::memset(range.used, 0, size / kPage);
  }
  machine_->range_count = 0;
}

void ProgramMemory::protect_used() {
  for (size_t i = 0; i < machine_->used_count; ++i) {
    const UsedPage& page = machine_->used[i];
    const Region* const region = region_at(machine_, page.address);
    HEDDLE_CHECK(region != nullptr);
    ::mprotect(reinterpret_cast<void*>(page.address), kPage,
               region->is_readable != 0 ? PROT_READ : PROT_NONE);
    *page.used = 0;
  }
  machine_->used_count = 0;
}

void ProgramMemory::restore() {
  if (machine_->range_count > 0) forget_ranges();
  for (size_t i = 0; i < machine_->used_count; ++i) {
    const UsedPage& page = machine_->used[i];
    void* const address = reinterpret_cast<void*>(page.address);
    if (page.origin != nullptr)
      std::memcpy(address, page.origin, kPage);
    else
      std::memset(address, 0, kPage);
  }
  const bool had_many_faults = machine_->faults > kManyFaults;
  const bool was_unusual = had_many_faults && quiet_runs_ >= kQuietRuns;
  quiet_runs_ = had_many_faults ? 0 : quiet_runs_ + 1;
  if (was_unusual || machine_->used_count > kMostKept || ++runs_ % kRunsBetweenProtections == 0)
    protect_used();
}

}  // namespace heddle::fast
