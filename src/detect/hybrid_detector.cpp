#include "detect/hybrid_detector.h"

#include <algorithm>
#include <bit>

namespace heddle::detect {

using trace::EventKind;
using trace::EventRecord;
namespace flag = trace::event_flag;

void HybridDetector::add(std::span<const EventRecord> events, uint64_t first) {
  for (size_t i = 0; i < events.size(); ++i) {
    const EventRecord& event = events[i];
    prefetch(events, i, first);
    switch (event.kind) {
      case EventKind::kRead:
      case EventKind::kWrite:
        access(event, first + i);
        continue;
      case EventKind::kAtomicRead:
      case EventKind::kAtomicWrite:
      case EventKind::kAtomicUpdate:
        access(event, first + i);
        break;
      case EventKind::kFree:
        if (event.object != 0) {
          cells_.drop(event.object, [this](Cell& cell, uint64_t) { entries_ -= cell.entries.capacity(); });
        }
        break;
      default:
        if (HeldLocks::concerns(event.kind)) held_.add(event, first + i);
        break;
    }
    order_.add(event);
  }
}

// First the cell; when it has come, its tags.
void HybridDetector::prefetch(std::span<const EventRecord> events, size_t index, uint64_t first) const {
  prefetch_cell(cells_, events, index);
  index += kPrefetchDistance / 2;
  if (index >= events.size() || relevance_of(relevances_, first + index) < Relevance::kCompared) return;
  const EventRecord& event = events[index];
  if (event.kind != EventKind::kRead && event.kind != EventKind::kWrite) return;
  const Cell* cell = cells_.peek(event.object, event.offset / kGranuleBytes);
  if (cell == nullptr) return;
  __builtin_prefetch(cell->tags.data());
  __builtin_prefetch(cell->tags.data() + kHistory / 2);
}

void HybridDetector::access(const EventRecord& event, uint64_t number) {
  const Relevance relevance = relevance_of(relevances_, number);
  if (relevance < Relevance::kCompared) return;
  Entry now;
  now.wanted = relevance == Relevance::kWanted;
  now.thread = event.thread;
  now.site = event.site;
  now.context = event.context;
  now.held = held_.set(event.thread);
  now.kind = event.kind;
  now.atomic = event.kind != EventKind::kRead && event.kind != EventKind::kWrite;
  now.writes = event.kind == EventKind::kWrite || event.kind == EventKind::kAtomicWrite ||
               (event.kind == EventKind::kAtomicUpdate && (event.flags & flag::kFailed) == 0);
  now.epoch = order_.thread(event.thread).epoch();
  now.event = number;
  for_each_granule(event, [&](uint64_t granule, uint8_t bytes) {
    now.bytes = bytes;
    Cell& cell = cells_.at(event.object, granule);
    const uint32_t tag = now.tag();
    for (size_t i = 0; i < cell.tags.size(); ++i) {
      if (cell.tags[i] != tag || !cell.entries[i].same_kind(now)) continue;
      Entry& entry = cell.entries[i];
      // Knowledge only grows: what was not a pair then is none now.
      if (entry.epoch == now.epoch && entry.compared == cell.changes) return;
      if (entry.epoch != now.epoch) cell.changes++;
      entry = now;
      return compare(cell, entry, event.object, granule);
    }
    cell.changes++;
    cell.always_held = cell.entries.empty() ? now.held : sets_.common(cell.always_held, now.held);
    if (now.wanted) cell.wanted++;
    if (cell.entries.size() < kHistory) {
      entries_ -= cell.entries.capacity();
      cell.entries.push_back(now);
      cell.tags.push_back(tag);
      entries_ += cell.entries.capacity();
      return compare(cell, cell.entries.back(), event.object, granule);
    }
    const uint32_t oldest = cell.next++ % kHistory;
    Entry& entry = cell.entries[oldest];
    if (entry.wanted) cell.wanted--;
    entry = now;
    cell.tags[oldest] = tag;
    compare(cell, entry, event.object, granule);
  });
}

void HybridDetector::compare(Cell& cell, Entry& now, uint32_t object, uint64_t granule) {
  now.compared = cell.changes;
  if (!now.wanted && cell.wanted == 0) return;
  if (sets_.exclude(cell.always_held, now.held)) return;
  const ThreadOrder::Thread& self = order_.thread(now.thread);
  const auto side = [&](const Entry& entry) {
    const unsigned bytes = entry.bytes;
    const auto begin = static_cast<uint32_t>(std::countr_zero(bytes));
    return Side{.event = entry.event,
                .thread = entry.thread,
                .site = entry.site,
                .context = entry.context,
                .kind = entry.kind,
                .size = static_cast<uint32_t>(std::bit_width(bytes)) - begin,
                .offset = granule * kGranuleBytes + begin};
  };
  for (size_t i = 0; i < cell.entries.size(); ++i) {
    if (!now.wanted && (cell.tags[i] & 1) == 0) continue;
    const Entry& entry = cell.entries[i];
    if (entry.conflicts_with(now) && !self.knows(entry.epoch) && !sets_.exclude(entry.held, now.held))
      found_.add(object, side(entry), side(now));
  }
}

void HybridDetector::finish(Detections& found) {
  found.potential_races = found_.found();
  found.left_out += found_.left_out();
}

uint64_t HybridDetector::bytes() const {
  return sets_.bytes() + held_.bytes() + order_.bytes() + cells_.bytes() +
         entries_ * (sizeof(Entry) + sizeof(uint32_t)) + found_.bytes();
}

}  // namespace heddle::detect
