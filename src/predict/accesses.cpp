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

Accesses::Accesses(const TraceModel& model, const Variables& variables, const SourceFrames& source,
                   const Focus& focus)
    : model_(model),
      atomic_sets_(model.trace(), variables),
      activations_(model.trace(), source),
      granules_(model.location_count()),
      handovers_(model.thread_count()) {
  find_granules();
  number_locations(focus);
  walk();
  sort_by_set();
}

void Accesses::find_granules() {
  const std::span<const EventRecord> events = model_.trace().events();
  for (EventIndex i = 0; i < events.size(); ++i) {
    const EventRecord& event = events[i];
    const uint8_t effect = does(event);
    if (effect == 0) continue;
    const std::span<const TraceModel::Part> parts = parts_of(i);
    if (model_.parts_of(i).size() > parts.size()) ++cut_blocks_;
    const bool is_block = (event.flags & flag::kRange) != 0 || event.size > trace::kGranuleBytes;
    for (size_t part = 0; part < parts.size(); ++part) {
      Granule& granule = granules_[parts[part].location];
      if (!granule.is_used) {
        granule.is_used = true;
        granule.object = event.object;
        granule.offset = (event.offset / trace::kGranuleBytes + part) * trace::kGranuleBytes;
        granule.first_thread = event.thread;
      }
      granule.is_shared |= granule.first_thread != event.thread;
      granule.is_written |= (effect & Access::kWrites) != 0;
      // A block operation is many accesses: it neither divides locations nor makes them one.
      if (!is_block) {
        const uint8_t bytes = parts[part].bytes;
        const auto after = static_cast<uint8_t>(bytes << 1);
        granule.edges |= bytes ^ after;
        granule.joined |= bytes & after;
      }
    }
  }
}

// Block operations and those that straddle granules come in parts, one for each location.
template <typename Action>
void Accesses::for_each_location(const Granule& granule, uint8_t bytes, Action&& action) {
  uint32_t location = granule.location;
  uint32_t rest = bytes;
  for (uint32_t borders = granule.borders(); rest != 0; ++location, borders &= borders - 1) {
    const uint32_t end = borders != 0 ? borders & -borders : 1u << trace::kGranuleBytes;
    const auto own = static_cast<uint8_t>(rest & (end - 1));
    if (own != 0) action(location, own);
    rest &= ~(end - 1);
  }
}

void Accesses::number_locations(const Focus& focus) {
  for (Granule& granule : granules_) {
    if (!granule.matters()) continue;
    granule.location = static_cast<uint32_t>(set_of_location_.size());
    for (uint32_t byte = 0; byte < trace::kGranuleBytes; ++byte) {
      if (byte == 0 || (granule.borders() >> byte & 1) != 0)
        set_of_location_.push_back(atomic_sets_.set_of(granule.object, granule.offset + byte));
    }
  }

  in_focus_.assign(atomic_sets_.size(), focus.is_everything());
  const std::span<const EventRecord> events = model_.trace().events();
  for (EventIndex i = 0; i < events.size() && !focus.is_everything(); ++i) {
    if (!focus.includes(i) || does(events[i]) == 0) continue;
    for (const TraceModel::Part& part : parts_of(i)) {
      const Granule& granule = granules_[part.location];
      if (!granule.matters()) continue;
      for_each_location(granule, part.bytes,
                        [&](uint32_t location, uint8_t) { in_focus_[set_of_location_[location]] = true; });
    }
  }
  for (Granule& granule : granules_) {
    if (!granule.matters()) continue;
    for_each_location(granule, 0xff, [&](uint32_t location, uint8_t) {
      granule.is_wanted |= in_focus_[set_of_location_[location]];
    });
  }
}

// One Access for each granule that an event touches, with the model's location; sort_by_set() splits those
// that hold several fields.
void Accesses::walk() {
  struct ThreadState {
    uint32_t locks_held = 0;
    uint32_t region = 0;
    uint32_t lockset = 0;
    size_t lockset_change = 0;  // the next one
  };
  std::vector<ThreadState> threads(model_.thread_count());
  const std::span<const EventRecord> events = model_.trace().events();
  for (EventIndex i = 0; i < events.size(); ++i) {
    const EventRecord& event = events[i];
    ThreadState& thread = threads[event.thread];
    has_contexts_ |= event.context != 0;
    const uint32_t activation = activations_.next(event, thread.locks_held);
    const std::span<const TraceModel::LocksetChange> changes = model_.lockset_changes(event.thread);
    while (thread.lockset_change < changes.size() &&
           changes[thread.lockset_change].number <= model_.number_of(i))
      thread.lockset = changes[thread.lockset_change++].lockset;
    if (const uint8_t effect = does(event)) {
      for (const TraceModel::Part& part : parts_of(i)) {
        if (!granules_[part.location].is_wanted) continue;
        accesses_.push_back({.event = i,
                             .thread = event.thread,
                             .site = event.site,
                             .location = part.location,
                             .activation = activation,
                             .region = thread.region,
                             .lockset = thread.lockset,
                             .bytes = part.bytes,
                             .does = effect});
      }
    } else if (model_.is_acquire(i)) {
      if (thread.locks_held++ == 0) ++thread.region;
    } else if (model_.is_release(i)) {
      if (thread.locks_held != 0 && --thread.locks_held == 0) ++thread.region;
    } else if (hands_over(event.kind)) {
      handovers_[event.thread].push_back(i);
    }
  }
}

template <typename Action>
void Accesses::for_each_wanted(Action&& action) const {
  for (const Access& access : accesses_) {
    const Granule& granule = granules_[access.location];
    for_each_location(granule, access.bytes, [&](uint32_t location, uint8_t bytes) {
      const uint32_t set = set_of_location_[location];
      if (!in_focus_[set]) return;
      Access part = access;
      part.location = location;
      part.bytes = bytes;
      action(part, set);
    });
  }
}

void Accesses::sort_by_set() {
  // Counted first, so that within each set the order of the trace stays.
  std::vector<size_t> next(atomic_sets_.size() + 1);
  for_each_wanted([&](const Access&, uint32_t set) { ++next[set + 1]; });
  for (uint32_t set = 0; set < atomic_sets_.size(); ++set) {
    if (next[set + 1] != 0) {
      begins_.push_back(next[set]);
      numbers_.push_back(set);
    }
    next[set + 1] += next[set];
  }
  begins_.push_back(next.back());
  std::vector<Access> sorted(next.back());
  for_each_wanted([&](const Access& part, uint32_t set) { sorted[next[set]++] = part; });
  memory_bytes_ = (accesses_.capacity() + sorted.capacity()) * sizeof(Access) +
                  granules_.capacity() * sizeof(Granule) + activations_.size() * sizeof(uint32_t);
  accesses_ = std::move(sorted);
  granules_ = {};
  set_of_location_ = {};
}

}  // namespace heddle
