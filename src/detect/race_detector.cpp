#include "detect/race_detector.h"

#include <bit>
#include <utility>

namespace heddle::detect {

using trace::EventKind;
using trace::EventRecord;
namespace flag = trace::event_flag;

namespace {

bool is_plain(EventKind kind) {
  return kind == EventKind::kRead || kind == EventKind::kWrite;
}

bool is_atomic(EventKind kind) {
  return kind == EventKind::kAtomicRead || kind == EventKind::kAtomicWrite ||
         kind == EventKind::kAtomicUpdate;
}

// Operations on something in memory that are no accesses: they too must not come after its end.
bool uses_memory(EventKind kind) {
  using enum EventKind;
  switch (kind) {
    case kLock:
    case kUnlock:
    case kReadLock:
    case kReadUnlock:
    case kTryLock:
    case kTryReadLock:
    case kCondWait:
    case kNotifyOne:
    case kNotifyAll:
    case kSemWait:
    case kSemTryWait:
    case kSemPost:
    case kBarrierArrive:
    case kOnceBegin:
    case kSyncInit:
      return true;
    default:
      return false;
  }
}

bool reads(const EventRecord& event) {
  return event.kind == EventKind::kRead || event.kind == EventKind::kAtomicRead ||
         event.kind == EventKind::kAtomicUpdate;
}
bool writes(const EventRecord& event) {
  return event.kind == EventKind::kWrite || event.kind == EventKind::kAtomicWrite ||
         (event.kind == EventKind::kAtomicUpdate && (event.flags & flag::kFailed) == 0);
}

}  // namespace

RaceDetector::RaceDetector(const trace::EventStream& stream, bool with_reads_from, size_t most_findings,
                           Relevances relevances)
    : with_reads_from_(with_reads_from),
      relevances_(relevances),
      races_(stream, most_findings),
      uses_after_free_(stream, most_findings) {}

// The main loop: an access is compared with those before it, then orders threads if it is atomic.
void RaceDetector::add(std::span<const EventRecord> events, uint64_t first) {
  for (size_t i = 0; i < events.size(); ++i) {
    const EventRecord& event = events[i];
    prefetch_cell(cells_, events, i);
    if (is_plain(event.kind)) [[likely]] {
      access(event, first + i);
      continue;
    }
    if (is_atomic(event.kind))
      access(event, first + i);
    else if (event.kind == EventKind::kFree)
      free(event, first + i);
    else if (uses_memory(event.kind) && is_freed(event.object))
      use_of_freed(event, first + i);
    order_.add(event);
    if (with_reads_from_) reads_from_.add(event);
  }
}

void RaceDetector::access(const EventRecord& event, uint64_t number) {
  const Relevance relevance = relevance_of(relevances_, number);
  if (relevance == Relevance::kNone) {
    if (with_reads_from_ && writes(event)) reads_from_.pass_on(event.thread);  // ends its interval
    return;
  }
  if (is_freed(event.object)) [[unlikely]]
    return use_of_freed(event, number);
  if (relevance >= Relevance::kCompared) compare(event, number);
  if (with_reads_from_) {
    if (reads(event)) read_from(event);
    if (writes(event)) write_to(event);
  }
}

void RaceDetector::compare(const EventRecord& event, uint64_t number) {
  const ThreadOrder::Thread& self = order_.thread(event.thread);
  SeenAccess now;
  now.epoch = self.epoch();
  now.where = number;
  now.flags = 0;
  if (writes(event)) now.flags = PastAccess::kWrites;
  if (is_atomic(event.kind)) now.flags |= PastAccess::kAtomic;
  if (event.kind == EventKind::kAtomicUpdate) now.flags |= SeenAccess::kUpdates;
  now.thread = event.thread;
  now.site = event.site;
  now.context = event.context;
  now.reads_from_clock = with_reads_from_ ? reads_from_.thread(event.thread).epoch().clock : 0;
  for_each_granule(event, [&](uint64_t granule, uint8_t bytes) {
    now.bytes = bytes;
    cells_.at(event.object, granule).access(now, self, room_, [&](const SeenAccess& past) {
      races_.add(event.object, side_of_past(past, granule), side_of(event, number),
                 is_certain(past, event.thread));
    });
  });
}

bool RaceDetector::is_certain(const SeenAccess& past, uint32_t thread) {
  if (!with_reads_from_) return true;
  const uint32_t slot = reads_from_.thread(past.thread).epoch().thread;
  return !reads_from_.thread(thread).knows({slot, past.reads_from_clock});
}

Side RaceDetector::side_of_past(const SeenAccess& past, uint64_t granule) const {
  const auto bytes = static_cast<unsigned>(past.bytes);
  const auto first = static_cast<uint32_t>(std::countr_zero(bytes));
  EventKind kind = past.writes() ? EventKind::kWrite : EventKind::kRead;
  if (past.is_atomic()) {
    kind = (past.flags & SeenAccess::kUpdates) != 0 ? EventKind::kAtomicUpdate
           : past.writes()                          ? EventKind::kAtomicWrite
                                                    : EventKind::kAtomicRead;
  }
  return {.event = past.where,
          .thread = past.thread,
          .site = past.site,
          .context = past.context,
          .kind = kind,
          .size = static_cast<uint32_t>(std::bit_width(bytes)) - first,
          .offset = granule * kGranuleBytes + first};
}

// SHB: the reader comes after the writes that it sees; known only to what follows the read.
void RaceDetector::read_from(const EventRecord& event) {
  for_each_granule(event, [&](uint64_t granule, uint8_t bytes) {
    for (const LastWrite& write : last_writes_.at(event.object, granule).writes)
      if ((write.bytes & bytes) != 0) reads_from_.learn(event.thread, write.message);
  });
}

void RaceDetector::write_to(const EventRecord& event) {
  const ThreadOrder::Message message = reads_from_.pass_on(event.thread);
  for_each_granule(event, [&](uint64_t granule, uint8_t bytes) {
    std::vector<LastWrite>& writes = last_writes_.at(event.object, granule).writes;
    if (writes.size() == 1 && writes[0].bytes == bytes) {
      writes[0].message = message;
      return;
    }
    for (LastWrite& write : writes) write.bytes &= static_cast<uint8_t>(~bytes);
    std::erase_if(writes, [](const LastWrite& write) { return write.bytes == 0; });
    last_write_count_ -= writes.capacity();
    writes.push_back({bytes, message});
    last_write_count_ += writes.capacity();
  });
}

void RaceDetector::free(const EventRecord& event, uint64_t number) {
  if (event.object == 0) return;
  if (is_freed(event.object)) return use_of_freed(event, number);
  const ThreadOrder::Thread& self = order_.thread(event.thread);
  const Side by = side_of(event, number);
  cells_.drop(event.object, [&](Cell& cell, uint64_t granule) {
    for (const SeenAccess& past : std::as_const(cell)) {
      if (past.thread != event.thread && !self.knows(past.epoch))
        races_.add(event.object, side_of_past(past, granule), by, is_certain(past, event.thread));
    }
    cell.clear(room_);
  });
  if (with_reads_from_) {
    last_writes_.drop(event.object,
                      [this](LastWrites& last, uint64_t) { last_write_count_ -= last.writes.capacity(); });
  }
  if (event.object >= freed_flags_.size()) freed_flags_.resize(event.object + 1);
  freed_flags_[event.object] = 1;
  freed_[event.object] = {by, self.epoch(),
                          with_reads_from_ ? reads_from_.thread(event.thread).epoch() : Epoch{}};
}

void RaceDetector::use_of_freed(const EventRecord& event, uint64_t number) {
  const Freed& freed = freed_.at(event.object);
  const bool ordered = freed.by.thread == event.thread || order_.thread(event.thread).knows(freed.epoch);
  if (ordered) return uses_after_free_.add(event.object, freed.by, side_of(event, number));
  const bool certain = !with_reads_from_ || !reads_from_.thread(event.thread).knows(freed.reads_from);
  races_.add(event.object, freed.by, side_of(event, number), certain);
}

void RaceDetector::finish(Detections& found) {
  found.races = races_.found();
  found.uses_after_free = uses_after_free_.found();
  found.left_out += races_.left_out() + uses_after_free_.left_out();
}

uint64_t RaceDetector::bytes() const {
  return order_.bytes() + reads_from_.bytes() + cells_.bytes() + room_.bytes() + last_writes_.bytes() +
         last_write_count_ * sizeof(LastWrite) + races_.bytes() + uses_after_free_.bytes() +
         freed_.size() * (sizeof(Freed) + 32) + freed_flags_.capacity();
}

RaceDetector::SeenAccess* RaceDetector::Room::allocate(uint32_t count) {
  auto& lists = free_[static_cast<size_t>(std::countr_zero(count))];
  if (lists.empty()) {
    all_.push_back(std::make_unique<SeenAccess[]>(count));
    bytes_ += count * sizeof(SeenAccess);
    return all_.back().get();
  }
  SeenAccess* list = lists.back();
  lists.pop_back();
  return list;
}

void RaceDetector::Room::free(SeenAccess* list, uint32_t count) {
  free_[static_cast<size_t>(std::countr_zero(count))].push_back(list);
}

}  // namespace heddle::detect
