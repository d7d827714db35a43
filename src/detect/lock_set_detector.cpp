#include "detect/lock_set_detector.h"

namespace heddle::detect {

using trace::EventKind;
using trace::EventRecord;
namespace flag = trace::event_flag;

namespace {

// No lock of a program has this number.
constexpr uint32_t kAtomicLock = 0;

}  // namespace

void LockSetDetector::add(std::span<const EventRecord> events, uint64_t first) {
  for (size_t i = 0; i < events.size(); ++i) {
    const EventRecord& event = events[i];
    prefetch_cell(cells_, events, i);
    switch (event.kind) {
      case EventKind::kRead:
        access(event, first + i, false, false);
        break;
      case EventKind::kWrite:
        access(event, first + i, true, false);
        break;
      case EventKind::kAtomicRead:
        access(event, first + i, false, true);
        break;
      case EventKind::kAtomicWrite:
        access(event, first + i, true, true);
        break;
      case EventKind::kAtomicUpdate:
        access(event, first + i, (event.flags & flag::kFailed) == 0, true);
        break;
      case EventKind::kFree:
        if (event.object != 0) {
          cells_.drop(event.object, [this](Cell& cell, uint64_t) {
            if (cell.more != nullptr) split_ -= cell.more->size();
          });
        }
        break;
      default:
        if (HeldLocks::concerns(event.kind)) held_.add(event, first + i);
        break;
    }
  }
}

void LockSetDetector::access(const EventRecord& event, uint64_t number, bool write, bool atomic) {
  LockSets::Set held = held_.set(event.thread);
  if (atomic) held = sets_.with(held, LockSets::member(kAtomicLock, false));
  for_each_granule(event, [&](uint64_t granule, uint8_t bytes) {
    Cell& cell = cells_.at(event.object, granule);
    if (cell.first.bytes == 0) cell.first.bytes = bytes;
    if ((cell.first.bytes & bytes) != 0) visit(cell.first, event, number, granule, held, write);
    auto left = static_cast<uint8_t>(bytes & ~cell.first.bytes);
    if (left == 0 && cell.more == nullptr) [[likely]]
      return;
    if (cell.more == nullptr) cell.more = std::make_unique<std::vector<Location>>();
    for (Location& location : *cell.more) {
      if ((location.bytes & bytes) != 0) visit(location, event, number, granule, held, write);
      left &= static_cast<uint8_t>(~location.bytes);
    }
    if (left == 0) return;
    cell.more->push_back({.bytes = left});
    split_++;
    visit(cell.more->back(), event, number, granule, held, write);
  });
}

// The state machine of Eraser's figure 4.
void LockSetDetector::visit(Location& location, const EventRecord& event, uint64_t number, uint64_t granule,
                            LockSets::Set held, bool write) {
  switch (location.state) {
    case State::kReported:
      return;
    case State::kVirgin:
      location.state = State::kExclusive;
      break;
    case State::kExclusive:
      if (location.last.thread == event.thread) break;
      location.state = write ? State::kModified : State::kShared;
      location.candidates = sets_.protecting(held, write);
      break;
    case State::kShared:
      if (write) location.state = State::kModified;
      [[fallthrough]];
    case State::kModified:
      if (location.candidates != LockSets::kEmpty)
        location.candidates = sets_.keep(location.candidates, held, write);
      break;
  }
  if (location.last.thread != event.thread) location.other = location.last;
  if (location.state == State::kModified && location.candidates == LockSets::kEmpty)
    return report(location, event, number, granule);
  const uint64_t end = (granule + 1) * kGranuleBytes;
  location.last = {number,        event.thread, event.site,
                   event.context, event.size,   static_cast<uint32_t>(end - event.offset),
                   event.kind};
}

void LockSetDetector::report(Location& location, const EventRecord& event, uint64_t number,
                             uint64_t granule) {
  const Access& past = location.other;
  const Side first{.event = past.event,
                   .thread = past.thread,
                   .site = past.site,
                   .context = past.context,
                   .kind = past.kind,
                   .size = past.size,
                   .offset = (granule + 1) * kGranuleBytes - past.reach};
  found_.add(event.object, first, side_of(event, number));
  location.state = State::kReported;
}

void LockSetDetector::finish(Detections& found) {
  found.lock_set = found_.found();
  found.left_out += found_.left_out();
}

uint64_t LockSetDetector::bytes() const {
  return sets_.bytes() + held_.bytes() + cells_.bytes() + split_ * sizeof(Location) + found_.bytes();
}

}  // namespace heddle::detect
