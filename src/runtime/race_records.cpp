#include "runtime/race_records.h"

#include "runtime/sys.h"

namespace heddle::rt {

Unit* units;
Stamp next_unit;

namespace {

inline constexpr size_t kFirstLimit = 1u << 17;  // units

Unit* other_half;

// Parts of the shadow that hold stamps, for collecting.
inline constexpr unsigned kPartBits = 12;  // stamps: 16 KB of shadow
inline constexpr size_t kParts = kShadowSize / sizeof(Stamp) >> kPartBits;
uint8_t* part_used;
uint32_t* parts;
size_t part_count;

// Copies the record to `*next` of the other half unless that has been done, and returns its new stamp.
Stamp moved(Stamp stamp, Stamp* next) {
  Unit* from = record_of(stamp);
  uint32_t size = 2;
  if (is_pair(stamp)) {
    *next = align_for_pair(*next);
  } else {
    RecordHead& head = from->head;
    if (head.moved_to != 0) return (stamp & ~kIndexMask) | head.moved_to;
    size = 1 + head.room;
  }
  for (uint32_t n = 0; n < size; ++n) other_half[*next + n] = from[n];
  const Stamp to = *next;
  *next += size;
  if (!is_pair(stamp)) from->head.moved_to = to;
  return (stamp & ~kIndexMask) | to;
}

}  // namespace

Stamp record_limit = kFirstLimit;

void init_records() {
  units = static_cast<Unit*>(own_memory(kMaxUnits * sizeof(Unit)));
  other_half = static_cast<Unit*>(own_memory(kMaxUnits * sizeof(Unit)));
  part_used = static_cast<uint8_t*>(own_memory(kParts));
  parts = static_cast<uint32_t*>(own_memory(kParts * sizeof(uint32_t)));
  next_unit = kFirstRecord;
}

void use_part(const Stamp* at) {
  const auto part = static_cast<size_t>(at - reinterpret_cast<const Stamp*>(kShadowBase)) >> kPartBits;
  if (HEDDLE_LIKELY(part_used[part] != 0)) return;
  part_used[part] = 1;
  parts[part_count++] = static_cast<uint32_t>(part);
}

void collect_records() {
  Stamp next = kFirstRecord;
  size_t live_parts = 0;
  for (size_t i = 0; i < part_count; ++i) {
    Stamp* stamp = reinterpret_cast<Stamp*>(kShadowBase) + (size_t{parts[i]} << kPartBits);
    bool live = false;
    for (size_t k = 0; k < size_t{1} << kPartBits; ++k) {
      if (!is_record(stamp[k])) continue;
      live = true;
      stamp[k] = moved(stamp[k], &next);
    }
    if (live)
      parts[live_parts++] = parts[i];
    else
      part_used[parts[i]] = 0;
  }
  part_count = live_parts;
  Unit* const old = units;
  units = other_half;
  other_half = old;
  next_unit = next;
  const uint64_t wanted = uint64_t{next} * 2 + kFirstLimit;
  record_limit = static_cast<Stamp>(wanted < kMaxUnits * 3 / 4 ? wanted : kMaxUnits * 3 / 4);
}

void forget_records(bool parts_too) {
  next_unit = kFirstRecord;
  if (!parts_too) return;
  part_count = 0;
  sys_call(SYS_madvise, static_cast<long>(reinterpret_cast<uintptr_t>(part_used)), static_cast<long>(kParts),
           MADV_DONTNEED);
}

}  // namespace heddle::rt
