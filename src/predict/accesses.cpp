#include "predict/accesses.h"

#include <algorithm>

#include "trace/granule.h"

namespace heddle {
namespace {

using trace::EventKind;
using trace::EventRecord;
namespace flag = trace::event_flag;

uint8_t does(const EventRecord& event) {
  switch (event.kind) {
    case EventKind::kRead:
      return Access::kReads;
    case EventKind::kWrite:
      return Access::kWrites;
    case EventKind::kAtomicRead:
      return Access::kIsAtomic | Access::kReads;
    case EventKind::kAtomicWrite:
      return Access::kIsAtomic | Access::kWrites;
    case EventKind::kAtomicUpdate: {
      if ((event.flags & flag::kFailed) != 0) return Access::kIsAtomic | Access::kReads;
      const uint8_t update = Access::kIsAtomic | Access::kReads | Access::kWrites;
      return (event.flags & flag::kCompare) != 0 ? update | Access::kCompares : update;
    }
    default:
      return 0;
  }
}

}  // namespace

bool hands_over(EventKind kind) {
  switch (kind) {
    case EventKind::kFork:
    case EventKind::kJoin:
    case EventKind::kCondWait:
    case EventKind::kSemWait:
    case EventKind::kBarrierArrive:
    case EventKind::kFutexWait:
      return true;
    default:
      return false;
  }
}

Accesses::Accesses(const TraceModel& model, const Variables& variables, const SourceFrames& source)
    : model_(model),
      atomic_sets_(model.trace(), variables),
      activations_(model.trace(), source),
      granules_(model.location_count()),
      handovers_(model.thread_count()) {
  walk();
  sort_by_set();
}

void Accesses::walk() {
  struct ThreadState {
    uint32_t locks_held = 0;
    uint32_t region = 0;
  };
  std::vector<ThreadState> threads(model_.thread_count());
  const std::span<const EventRecord> events = model_.trace().events();
  for (EventIndex i = 0; i < events.size(); ++i) {
    const EventRecord& event = events[i];
    ThreadState& thread = threads[event.thread];
    has_contexts_ |= event.context != 0;
    const uint32_t activation = activations_.next(event, thread.locks_held);
    if (const uint8_t effect = does(event)) {
      add({.event = i,
           .thread = event.thread,
           .site = event.site,
           .activation = activation,
           .region = thread.region,
           .does = effect});
    } else if (model_.is_acquire(i)) {
      if (thread.locks_held++ == 0) ++thread.region;
    } else if (model_.is_release(i)) {
      if (thread.locks_held != 0 && --thread.locks_held == 0) ++thread.region;
    } else if (hands_over(event.kind)) {
      handovers_[event.thread].push_back(i);
    }
  }
}

// One Access for each granule that an event touches, with the model's location; sort_by_set() splits those
// that hold several fields.
void Accesses::add(Access access) {
  const EventRecord& event = model_.trace().events()[access.event];
  std::span<const TraceModel::Part> parts = model_.parts_of(access.event);
  if (parts.size() > kGranulesOfBlock) {
    parts = parts.first(kGranulesOfBlock);
    ++cut_blocks_;
  }
  const bool is_block = (event.flags & flag::kRange) != 0 || event.size > trace::kGranuleBytes;
  for (size_t i = 0; i < parts.size(); ++i) {
    access.location = parts[i].location;
    access.bytes = parts[i].bytes;
    Granule& granule = granules_[access.location];
    if (!granule.is_used) {
      granule.is_used = true;
      granule.object = event.object;
      granule.offset = (event.offset / trace::kGranuleBytes + i) * trace::kGranuleBytes;
      granule.first_thread = event.thread;
    }
    granule.is_shared |= granule.first_thread != event.thread;
    granule.is_written |= access.writes();
    // A block operation is many accesses: it neither divides locations nor makes them one.
    if (!is_block) {
      const auto after = static_cast<uint8_t>(access.bytes << 1);
      granule.edges |= access.bytes ^ after;
      granule.joined |= access.bytes & after;
    }
    accesses_.push_back(access);
  }
}

// Block operations and those that straddle granules come in parts, one for each location.
template <typename Action>
void Accesses::for_each_shared(Action&& action) const {
  for (const Access& access : accesses_) {
    const Granule& granule = granules_[access.location];
    if (!granule.matters()) continue;
    Access part = access;
    part.location = granule.location;
    uint32_t rest = access.bytes;
    for (uint32_t borders = granule.borders(); rest != 0; ++part.location, borders &= borders - 1) {
      const uint32_t end = borders != 0 ? borders & -borders : 1u << trace::kGranuleBytes;
      part.bytes = static_cast<uint8_t>(rest & (end - 1));
      if (part.bytes != 0) action(part);
      rest &= ~(end - 1);
    }
  }
}

void Accesses::sort_by_set() {
  std::vector<uint32_t> set_of_location;
  for (Granule& granule : granules_) {
    if (!granule.matters()) continue;
    granule.location = static_cast<uint32_t>(set_of_location.size());
    for (uint32_t byte = 0; byte < trace::kGranuleBytes; ++byte) {
      if (byte == 0 || (granule.borders() >> byte & 1) != 0)
        set_of_location.push_back(atomic_sets_.set_of(granule.object, granule.offset + byte));
    }
  }

  // Counted first, so that within each set the order of the trace stays.
  std::vector<size_t> next(atomic_sets_.size() + 1);
  for_each_shared([&](const Access& part) { ++next[set_of_location[part.location] + 1]; });
  for (uint32_t set = 0; set < atomic_sets_.size(); ++set) {
    if (next[set + 1] != 0) {
      begins_.push_back(next[set]);
      numbers_.push_back(set);
    }
    next[set + 1] += next[set];
  }
  begins_.push_back(next.back());
  std::vector<Access> sorted(next.back());
  for_each_shared([&](const Access& part) { sorted[next[set_of_location[part.location]]++] = part; });
  memory_bytes_ = (accesses_.capacity() + sorted.capacity()) * sizeof(Access) +
                  granules_.capacity() * sizeof(Granule) + activations_.size() * sizeof(uint32_t);
  accesses_ = std::move(sorted);
  granules_ = {};
}

}  // namespace heddle
