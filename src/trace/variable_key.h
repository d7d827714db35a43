// Which variable a location belongs to, as far as a trace can say without the program's symbols.
//
// Findings at the same code positions are one finding if they are about the same variable. All memory that is
// allocated at one place counts as one variable, however often that happens.
#pragma once

#include <cstdint>
#include <span>

#include "trace/layout.h"

namespace heddle::trace {

// At the same code positions so many variables are told apart. The elements of an array are different
// locations, and nobody wants to hear of each.
inline constexpr size_t kMostVariablesAtSites = 8;

constexpr uint64_t mix_key(uint64_t a, uint64_t b) {
  const uint64_t mixed = (a * 0x9e3779b97f4a7c15ull ^ b) * 0xff51afd7ed558ccdull;
  return mixed ^ mixed >> 32;
}

inline uint64_t variable_key(std::span<const ObjectRecord> objects, uint32_t object, uint64_t offset) {
  const ObjectRecord& record = objects[object];
  const auto kind = static_cast<uint64_t>(record.kind);
  switch (record.kind) {
    case ObjectKind::kHeap:
    case ObjectKind::kMapping:
      return mix_key(kind, uint64_t{record.site} << 32 | record.context);
    case ObjectKind::kStack:  // threads that run the same function have the same variables
      return mix_key(kind, offset);
    default:
      return mix_key(uint64_t{object} << 8 | kind, offset);
  }
}

}  // namespace heddle::trace
