#include "predict/trace_model_builder.h"

#include <algorithm>

#include "support/check.h"
#include "trace/granule.h"

namespace heddle {

using trace::EventKind;
using trace::EventRecord;
namespace flag = trace::event_flag;

namespace {

constexpr uint32_t kFutexWord = 4;

bool failed(const EventRecord& event) {
  return (event.flags & (flag::kFailed | flag::kTimedOut)) != 0;
}

}  // namespace

TraceModelBuilder::TraceModelBuilder(TraceModel* model)
    : model_(*model),
      objects_(model->trace().objects().size() + 1),
      threads_(model->trace().threads().size()) {}

void TraceModelBuilder::build() {
  const std::span<const EventRecord> events = model_.trace_.events();
  HEDDLE_CHECK(events.size() < kNoEvent);
  const auto count = static_cast<uint32_t>(events.size());
  model_.threads_.resize(count);
  model_.numbers_.resize(count);
  model_.classes_.resize(count);
  model_.parts_.resize(count);
  model_.needed_.resize(count);
  model_.by_thread_.resize(threads_.size());
  model_.allocations_.assign(objects_.size(), kNoEvent);
  model_.locksets_.emplace_back();
  lockset_numbers_[{}] = 0;
  std::vector<uint32_t> lengths(threads_.size());
  for (const EventRecord& event : events) ++lengths[event.thread];
  for (uint32_t t = 0; t < lengths.size(); ++t) model_.by_thread_[t].events.reserve(lengths[t]);

  for (EventIndex i = 0; i < count; ++i) {
    const EventRecord& event = events[i];
    std::vector<EventIndex>& own = model_.by_thread_[event.thread].events;
    model_.threads_[i] = event.thread;
    model_.numbers_[i] = static_cast<uint32_t>(own.size());
    own.push_back(i);
    if (own.size() == 1 && model_.fork_of(event.thread) != kNoEvent) need(i, model_.fork_of(event.thread));
    if (model_.continues(i)) need_continuation(i);
    visit(i, event);
  }
  finish_freed_objects();
  model_.contended_.reserve(locations_.size());
  for (const Location& location : locations_)
    model_.contended_.push_back(location.several && location.written);
}

void TraceModelBuilder::visit(EventIndex index, const EventRecord& event) {
  switch (event.kind) {
    case EventKind::kAtomicRead:
      // The guard of a static is looked at as an atomic before it is asked.
      if (has_once_) need_all(index, chain_of(event).last[0]);
      return access(index, event, EventClass::kRead);
    case EventKind::kRead:
      return access(index, event, EventClass::kRead);
    case EventKind::kWrite:
    case EventKind::kAtomicWrite:
      return access(index, event, EventClass::kWrite);
    case EventKind::kAtomicUpdate:
      return access(index, event, failed(event) ? EventClass::kRead : EventClass::kUpdate);
    case EventKind::kAlloc:
      if (event.object != 0) model_.allocations_[event.object] = index;
      return;
    case EventKind::kFree:
      return free_object(index, event);

    case EventKind::kFork:
      // Only the first one before the thread has done anything can be what created it.
      if (event.peer < threads_.size() && !failed(event) && model_.by_thread_[event.peer].events.empty() &&
          model_.fork_of(event.peer) == kNoEvent)
        model_.by_thread_[event.peer].fork = index;
      return;
    case EventKind::kJoin:
      if (event.peer < threads_.size() && !failed(event) && !model_.by_thread_[event.peer].events.empty())
        need(index, model_.by_thread_[event.peer].events.back());
      return;

    case EventKind::kLock:
    case EventKind::kTryLock:
      return failed(event) ? attempt(index, event) : acquire(index, event, /*shared=*/false);
    case EventKind::kReadLock:
    case EventKind::kTryReadLock:
      return failed(event) ? attempt(index, event) : acquire(index, event, /*shared=*/true);
    case EventKind::kUnlock:
      return release(index, event, /*shared=*/false);
    case EventKind::kReadUnlock:
      return release(index, event, /*shared=*/true);

    // Sorts of a condition or futex: 0 for those who wait or cease to, 1 for those who wake them.
    case EventKind::kFutexWait: {
      EventRecord word = event;  // it compares the word
      word.size = kFutexWord;
      access(index, word, EventClass::kRead);
      if (!failed(event)) remember(index, event.thread, &chain_of(event).last[0]);
      return;
    }
    case EventKind::kCondWait:
      return remember(index, event.thread, &chain_of(event).last[0]);
    case EventKind::kCondWake:
    case EventKind::kFutexAwake: {
      Chain& chain = chain_of(event);
      if (event.peer != 0) need_notifier(index, chain.last[1], event.peer - 1);
      return remember(index, event.thread, &chain.last[0]);
    }
    case EventKind::kNotifyOne:
    case EventKind::kNotifyAll:
    case EventKind::kFutexWake: {
      Chain& chain = chain_of(event);
      need_all(index, chain.last[0]);
      need_all(index, chain.last[1]);
      return remember(index, event.thread, &chain.last[1]);
    }

    // Sorts of a semaphore: 0 for posts, 1 for what was taken. With all posts before it and no more takings
    // than there were, the value is at least what it was; and for a failure, at most.
    case EventKind::kSemPost:
      return remember(index, event.thread, &chain_of(event).last[0]);
    case EventKind::kSemWait:
    case EventKind::kSemTryWait: {
      Chain& chain = chain_of(event);
      need_all(index, chain.last[failed(event) ? 1 : 0]);
      if (!failed(event)) remember(index, event.thread, &chain.last[1]);
      return;
    }

    case EventKind::kBarrierArrive: {
      Chain& chain = chain_of(event);
      chain.arrivals.push_back({event.thread});
      return remember(index, event.thread, &chain.last[0]);
    }
    case EventKind::kBarrierLeave:
      return leave_barrier(index, event.thread, &chain_of(event));
    case EventKind::kOncePassed:
      return need_all(index, chain_of(event).last[0]);

    case EventKind::kOnceBegin:
    case EventKind::kOnceEnd:
    case EventKind::kAccess: {
      has_once_ |= event.kind != EventKind::kAccess;
      Chain& chain = chain_of(event);
      need_all(index, chain.last[0]);
      return remember(index, event.thread, &chain.last[0]);
    }

    case EventKind::kSyncInit:
    case EventKind::kSyncDestroy:
      return renew(index, event);

    case EventKind::kSignalSend:
      return remember(index, event.thread, &signals_.last[0]);
    case EventKind::kSignal:
      return need_all(index, signals_.last[0]);

    default:
      return;
  }
}

// Program order makes needs superfluous that the thread has had before; the commonest are recognised here.
void TraceModelBuilder::need(EventIndex event, EventIndex target) {
  const uint32_t thread = model_.threads_[event];
  const uint32_t other = model_.threads_[target];
  if (thread == other) return;
  const uint32_t count = model_.numbers_[target] + 1;
  std::pair<uint32_t, uint32_t>& cached = threads_[thread].needed[other % threads_[thread].needed.size()];
  if (cached.first == other + 1 && cached.second >= count) return;
  cached = {other + 1, count};
  model_.by_thread_[thread].links.push_back(
      {.number = model_.numbers_[event], .lock = kNoLock, .a = other, .b = count});
  model_.needed_[target] = true;
}

void TraceModelBuilder::need_continuation(EventIndex event) {
  const uint32_t number = model_.numbers_[event];
  model_.by_thread_[model_.threads_[event]].links.push_back(
      {.number = number - 1, .lock = kNoLock, .a = model_.threads_[event], .b = number + 1});
}

void TraceModelBuilder::need_all(EventIndex event, const LastByThread& targets) {
  for (const auto& [thread, target] : targets) need(event, target);
}

void TraceModelBuilder::need_notifier(EventIndex event, const LastByThread& notifies, uint32_t thread) {
  for (const auto& [notifier, target] : notifies) {
    if (notifier == thread) need(event, target);
  }
}

// The first to leave shows that the phase is complete; who leaves later needs no arrivals at the next one.
void TraceModelBuilder::leave_barrier(EventIndex event, uint32_t thread, Chain* barrier) {
  std::vector<Arrival>& arrivals = barrier->arrivals;
  const auto own = std::ranges::find(arrivals, thread, &Arrival::thread);
  // It arrived before the trace begins: at which phase is unknown.
  if (own == arrivals.end()) return need_all(event, barrier->last[0]);
  if (!own->released) {
    for (Arrival& arrival : arrivals) {
      if (arrival.released) continue;
      arrival.released = true;
      arrival.of_phase = barrier->last[0];
    }
  }
  need_all(event, own->of_phase);
  arrivals.erase(own);
}

void TraceModelBuilder::remember(EventIndex event, uint32_t thread, LastByThread* last) {
  for (auto& [known, at] : *last) {
    if (known == thread) {
      at = event;
      return;
    }
  }
  last->emplace_back(thread, event);
}

uint32_t TraceModelBuilder::location(uint32_t object, uint64_t granule) {
  const uint32_t number = location_numbers_.number(object, granule);
  if (number == locations_.size()) {
    Object& owner = objects_[object];
    Location& fresh = locations_.emplace_back();
    fresh.next_of_object = owner.first_location;
    owner.first_location = number + 1;
    if (owner.freed != kNoEvent) fresh.last = {owner.freed, 0xff};
  }
  return number;
}

void TraceModelBuilder::access(EventIndex index, const EventRecord& event, EventClass event_class) {
  model_.classes_[index] = event_class;
  if (event.size == 0) return;
  Object& object = objects_[event.object];
  const EventIndex allocation = model_.allocations_[event.object];
  if (allocation != kNoEvent && object.user != event.thread + 1) {
    need(index, allocation);
    object.user = event.thread + 1;
  }

  const uint64_t first = event.offset / trace::kGranuleBytes;
  const uint64_t last = (event.offset + (event.size - 1)) / trace::kGranuleBytes;
  const auto begin = static_cast<uint32_t>(event.offset % trace::kGranuleBytes);
  if (first == last) {
    const auto bytes = static_cast<uint8_t>(((1U << event.size) - 1) << begin);
    model_.parts_[index] = {location(event.object, first), bytes};
  } else {
    // Equal long accesses share one list of parts.
    const uint32_t span =
        span_numbers_.number(event.size, location(event.object, first) * trace::kGranuleBytes + begin);
    if (span == model_.spans_.size()) {
      const auto parts_begin = static_cast<uint32_t>(model_.span_parts_.size());
      const auto end = static_cast<uint32_t>((event.offset + (event.size - 1)) % trace::kGranuleBytes + 1);
      for (uint64_t granule = first; granule <= last; ++granule) {
        uint32_t bytes = 0xff;
        if (granule == first) bytes &= 0xffU << begin;
        if (granule == last) bytes &= (1U << end) - 1;
        model_.span_parts_.push_back({location(event.object, granule), static_cast<uint8_t>(bytes)});
      }
      model_.spans_.push_back({parts_begin, static_cast<uint32_t>(model_.span_parts_.size()) - parts_begin});
    }
    model_.parts_[index] = {span + 1, 0};
  }
  for (const TraceModel::Part part : model_.parts_of(index)) {
    use_part(event.thread, event_class != EventClass::kRead, &locations_[part.location]);
    if (event_class != EventClass::kWrite) read_part(index, part);
    if (event_class != EventClass::kRead) write_part(index, part);
  }
}

void TraceModelBuilder::use_part(uint32_t thread, bool writes, Location* location) {
  if (location->user == 0) location->user = thread + 1;
  location->several |= location->user != thread + 1;
  location->written |= writes;
}

void TraceModelBuilder::read_part(EventIndex index, TraceModel::Part part) {
  const Location& location = locations_[part.location];
  if ((location.last.bytes & part.bytes) != 0) need(index, location.last.event);
  if ((part.bytes & ~location.last.bytes) == 0) return;
  for (const Written& older : location.older) {
    if ((older.bytes & part.bytes) != 0) need(index, older.event);
  }
}

void TraceModelBuilder::write_part(EventIndex index, TraceModel::Part part) {
  Location& location = locations_[part.location];
  if (!location.older.empty()) {
    std::erase_if(location.older, [&](Written& older) { return (older.bytes &= ~part.bytes) == 0; });
  }
  Written rest = location.last;
  if ((rest.bytes &= ~part.bytes) != 0) location.older.push_back(rest);
  location.last = {index, part.bytes};
}

void TraceModelBuilder::free_object(EventIndex index, const EventRecord& event) {
  model_.classes_[index] = EventClass::kWrite;
  if (event.object == 0) return;
  Object& object = objects_[event.object];
  if (model_.allocations_[event.object] != kNoEvent) need(index, model_.allocations_[event.object]);
  for (uint32_t number = object.first_location; number != 0; number = locations_[number - 1].next_of_object)
    write_part(index, {number - 1, 0xff});
  object.freed = index;
}

// Only now is it known which parts of an object are ever touched: also after it was freed.
void TraceModelBuilder::finish_freed_objects() {
  for (const Object& object : objects_) {
    if (object.freed == kNoEvent || object.first_location == 0) continue;
    const auto begin = static_cast<uint32_t>(model_.span_parts_.size());
    for (uint32_t number = object.first_location; number != 0;
         number = locations_[number - 1].next_of_object) {
      model_.span_parts_.push_back({number - 1, 0xff});
      use_part(model_.threads_[object.freed], /*writes=*/true, &locations_[number - 1]);
    }
    model_.spans_.push_back({begin, static_cast<uint32_t>(model_.span_parts_.size()) - begin});
    model_.parts_[object.freed] = {static_cast<uint32_t>(model_.spans_.size()), 0};
  }
}

}  // namespace heddle
