// LocationUses: the events that used a location, found without reading the whole trace for each.
//
// The events are sorted by object once, when first asked, and those of an object by offset when it is asked
// for: a finding needs few objects of a trace. Of events that say the same (kind, size, place) only the last
// is kept.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "trace/trace.h"

namespace heddle {

class LocationUses {
 public:
  explicit LocationUses(const trace::Trace& trace) : trace_(trace) {}

  // Indices of events, the last first. Valid until the next call.
  std::span<const uint64_t> at(uint32_t object, uint64_t offset);

 private:
  void sort_by_object();
  void sort_by_offset(uint32_t object);

  struct Group {
    uint64_t begin = 0;  // in events_
    uint64_t end = 0;
    bool is_sorted = false;
  };

  const trace::Trace& trace_;
  std::vector<uint64_t> events_;
  std::vector<Group> groups_;  // by object
};

}  // namespace heddle
