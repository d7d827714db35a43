// MovedParts: where the locks, condition variables … in the heap objects of the head lie in the base, if
// classes have other fields than before.
//
// Offsets mean nothing then, and debug information does not say of what class an allocation is. But
// statements that have not changed use the same part of an object as before: what most of them use in the
// head is what they use in the base.
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <unordered_set>

#include "impact/comparable_trace.h"

namespace heddle {

class MovedParts {
 public:
  static MovedParts find(const trace::Trace& base, const VersionNames& base_names, const trace::Trace& head,
                         const VersionNames& head_names);

  // `object` by its name in both versions, `offset` in the head; nothing if it has parts that lie elsewhere,
  // and no statement tells of this one.
  std::optional<uint64_t> offset_in_base(uint64_t object, uint64_t offset) const;

 private:
  std::unordered_map<uint64_t, uint64_t> offsets_;  // by object and offset of the head
  std::unordered_set<uint64_t> moved_;              // objects with a part that lies elsewhere
};

}  // namespace heddle
