// The part of TraceModelBuilder that deals with synchronisation objects: places, chains, critical sections.
#include <algorithm>

#include "predict/trace_model_builder.h"

namespace heddle {

using trace::EventRecord;
namespace flag = trace::event_flag;

TraceModelBuilder::Place& TraceModelBuilder::place_of(const EventRecord& event) {
  const uint32_t number = place_numbers_.number(event.object, event.offset);
  if (number == places_.size()) places_.emplace_back();
  return places_[number];
}

TraceModelBuilder::Chain& TraceModelBuilder::chain_of(const EventRecord& event) {
  Place& place = place_of(event);
  if (place.chain == 0) {
    Chain& chain = chains_.emplace_back();
    if (place.birth != kNoEvent) {
      const uint32_t thread = model_.threads_[place.birth];
      for (LastByThread& last : chain.last) last.emplace_back(thread, place.birth);
    }
    place.chain = static_cast<uint32_t>(chains_.size());
  }
  return chains_[place.chain - 1];
}

uint32_t TraceModelBuilder::lock_at(const EventRecord& event) {
  Place& place = place_of(event);
  if (place.lock == kNoLock) {
    place.lock = static_cast<uint32_t>(locks_.size());
    locks_.push_back({.birth = place.birth});
    model_.locks_.emplace_back();
  }
  return place.lock;
}

void TraceModelBuilder::acquire(EventIndex index, const EventRecord& event, bool shared) {
  if ((event.flags & flag::kRecursive) != 0) return;
  const uint32_t lock = lock_at(event);
  LockState& state = locks_[lock];
  if (state.writer.depth != 0 && state.writer.thread == event.thread) {
    ++state.writer.depth;
    return;
  }
  if (!shared) return begin_section(index, event.thread, lock, shared, &state.writer);
  for (Holder& reader : state.readers) {
    if (reader.thread == event.thread) {
      ++reader.depth;
      return;
    }
  }
  begin_section(index, event.thread, lock, shared, &state.readers.emplace_back());
}

void TraceModelBuilder::begin_section(EventIndex index, uint32_t thread, uint32_t lock, bool shared,
                                      Holder* holder) {
  TraceModel::Lock& known = model_.locks_[lock];
  known.has_readers |= shared;
  if (locks_[lock].birth != kNoEvent) need(index, locks_[lock].birth);
  need_all(index, locks_[lock].initial);

  const uint32_t number = acquisition_numbers_.number(thread, lock);
  if (number == acquisitions_.size()) {
    acquisitions_.push_back(static_cast<uint32_t>(known.by_thread.size()));
    known.by_thread.push_back({.thread = thread});
  }
  TraceModel::Acquisitions& own = known.by_thread[acquisitions_[number]];
  std::vector<Link>& links = model_.by_thread_[thread].links;
  *holder = {thread, 1, index, static_cast<uint32_t>(links.size())};
  own.links.push_back(holder->link);
  own.shared_any |= shared;
  links.push_back(
      {.number = model_.numbers_[index], .lock = lock, .a = index, .b = kNoEvent, .is_shared = shared});

  model_.classes_[index] = shared ? EventClass::kSharedAcquire : EventClass::kAcquire;
  model_.parts_[index] = {lock, 0};
  std::vector<HeldLock>& held = threads_[thread].held;
  const HeldLock taken{lock, shared, index};
  held.insert(std::upper_bound(held.begin(), held.end(), taken,
                               [](const HeldLock& a, const HeldLock& b) { return a.lock < b.lock; }),
              taken);
  lockset_changed(thread, lock, shared, /*taken=*/true);
}

void TraceModelBuilder::release(EventIndex index, const EventRecord& event, bool shared) {
  if ((event.flags & (flag::kRecursive | flag::kFailed)) != 0) return;
  const uint32_t lock = lock_at(event);
  LockState& state = locks_[lock];
  // The kind of the event says little: some interfaces have one unlock for both.
  const auto reader = std::find_if(state.readers.begin(), state.readers.end(),
                                   [&](const Holder& holder) { return holder.thread == event.thread; });
  const bool writes = state.writer.depth != 0 && state.writer.thread == event.thread;
  if (!writes && reader != state.readers.end()) {
    if (--reader->depth != 0) return;
    const Holder holder = *reader;
    state.readers.erase(reader);
    return end_section(index, lock, holder, /*shared=*/true);
  }
  if (state.writer.depth != 0 && !shared) {
    if (--state.writer.depth != 0) return;
    return end_section(index, lock, state.writer, /*shared=*/false);
  }
  // It was taken before the trace begins.
  model_.classes_[index] = shared ? EventClass::kSharedRelease : EventClass::kRelease;
  model_.parts_[index] = {lock, 0};
  if (model_.locks_[lock].by_thread.empty()) remember(index, event.thread, &state.initial);
}

void TraceModelBuilder::end_section(EventIndex index, uint32_t lock, const Holder& holder, bool shared) {
  need(index, holder.acquire);  // if it is another thread that releases it
  Link& link = model_.by_thread_[holder.thread].links[holder.link];
  link.b = index;
  link.release_thread = model_.threads_[index] & 0x7fffffffu;
  link.release_number = model_.numbers_[index];
  model_.classes_[index] = shared ? EventClass::kSharedRelease : EventClass::kRelease;
  model_.parts_[index] = {lock, 0};
  std::erase_if(threads_[holder.thread].held,
                [&](const HeldLock& held) { return held.lock == lock && held.acquire == holder.acquire; });
  lockset_changed(holder.thread, lock, shared, /*taken=*/false);
}

// A try-lock that failed, or a lock that timed out: somebody had the lock.
void TraceModelBuilder::attempt(EventIndex index, const EventRecord& event) {
  const LockState& state = locks_[lock_at(event)];
  if (state.writer.depth != 0)
    need(index, state.writer.acquire);
  else if (!state.readers.empty())
    need(index, state.readers.back().acquire);
  if (state.birth != kNoEvent) need(index, state.birth);
}

// The object begins or ends its life: after all that was done to it, and before all that will be.
void TraceModelBuilder::renew(EventIndex index, const EventRecord& event) {
  Place& place = place_of(event);
  if (place.birth != kNoEvent) need(index, place.birth);
  if (place.lock != kNoLock) {
    for (const TraceModel::Acquisitions& own : model_.locks_[place.lock].by_thread) {
      const Link& last = model_.by_thread_[own.thread].links[own.links.back()];
      need(index, last.release() != kNoEvent ? last.release() : last.acquire());
    }
  }
  if (place.chain != 0) {
    for (const LastByThread& last : chains_[place.chain - 1].last) need_all(index, last);
  }
  place = {.birth = index};
}

void TraceModelBuilder::lockset_changed(uint32_t thread, uint32_t lock, bool shared, bool taken) {
  ThreadState& state = threads_[thread];
  const uint32_t step = lockset_steps_.number(state.lockset, uint64_t{lock} * 4 + shared * 2 + taken);
  if (step == lockset_after_.size()) lockset_after_.push_back(lockset_number(state.held));
  state.lockset = lockset_after_[step];
  TraceModel::PerThread& own = model_.by_thread_[thread];
  own.locksets.push_back({static_cast<uint32_t>(own.events.size()), state.lockset});
}

uint32_t TraceModelBuilder::lockset_number(const std::vector<HeldLock>& held) {
  std::vector<uint64_t> key;
  for (const HeldLock& lock : held) key.push_back(uint64_t{lock.lock} * 2 + lock.shared);
  const auto [known, fresh] =
      lockset_numbers_.try_emplace(std::move(key), static_cast<uint32_t>(model_.locksets_.size()));
  if (fresh) {
    std::vector<HeldLock>& set = model_.locksets_.emplace_back(held);
    for (HeldLock& lock : set) lock.acquire = kNoEvent;
  }
  return known->second;
}

}  // namespace heddle
