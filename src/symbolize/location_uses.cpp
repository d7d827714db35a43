#include "symbolize/location_uses.h"

#include <algorithm>
#include <tuple>

namespace heddle {

using trace::EventRecord;

void LocationUses::sort_by_object() {
  groups_.resize(trace_.objects().size());
  const std::span<const EventRecord> events = trace_.events();
  for (const EventRecord& event : events)
    if (event.object < groups_.size()) ++groups_[event.object].end;
  uint64_t begin = 0;
  for (Group& group : groups_) {
    const uint64_t size = group.end;
    group.begin = group.end = begin;
    begin += size;
  }
  events_.resize(begin);
  for (uint64_t i = 0; i < events.size(); ++i)
    if (events[i].object < groups_.size()) events_[groups_[events[i].object].end++] = i;
}

void LocationUses::sort_by_offset(uint32_t object) {
  Group& group = groups_[object];
  group.is_sorted = true;
  const std::span<const EventRecord> events = trace_.events();
  const auto says = [&](uint64_t i) {
    const EventRecord& event = events[i];
    return std::tuple(event.offset, event.site, event.context, event.size, event.kind, event.flags);
  };
  const auto begin = events_.begin() + static_cast<ptrdiff_t>(group.begin);
  const auto end = events_.begin() + static_cast<ptrdiff_t>(group.end);
  std::sort(begin, end, [&](uint64_t a, uint64_t b) {
    const auto of_a = says(a), of_b = says(b);
    return of_a != of_b ? of_a < of_b : a > b;
  });
  const auto last = std::unique(begin, end, [&](uint64_t a, uint64_t b) { return says(a) == says(b); });
  std::sort(begin, last, [&](uint64_t a, uint64_t b) {
    return events[a].offset != events[b].offset ? events[a].offset < events[b].offset : a > b;
  });
  group.end = static_cast<uint64_t>(last - events_.begin());
}

std::span<const uint64_t> LocationUses::at(uint32_t object, uint64_t offset) {
  if (groups_.empty()) sort_by_object();
  if (object >= groups_.size()) return {};
  if (!groups_[object].is_sorted) sort_by_offset(object);
  const Group& group = groups_[object];
  const std::span<const EventRecord> events = trace_.events();
  const auto begin = events_.begin() + static_cast<ptrdiff_t>(group.begin);
  const auto end = events_.begin() + static_cast<ptrdiff_t>(group.end);
  const auto first = std::partition_point(begin, end, [&](uint64_t i) { return events[i].offset < offset; });
  const auto after = std::partition_point(first, end, [&](uint64_t i) { return events[i].offset == offset; });
  return {first, after};
}

}  // namespace heddle
