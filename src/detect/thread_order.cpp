#include "detect/thread_order.h"

#include <algorithm>

#include "detect/order_rules.h"

namespace heddle::detect {

using trace::EventKind;
using trace::EventRecord;
namespace flag = trace::event_flag;

// What order_rules.h asks for, of one thread.
class ThreadOrder::Clocks {
 public:
  Clocks(ThreadOrder& order, Thread& self) : order_(order), self_(self) {}

  void acquire(Channel* channel) { order_.learn(self_, channel->message); }
  void acquire_at_fence(Channel* channel) {
    if (channel->message.end.clock != 0 || channel->message.known.size() != 0)
      order_.merge(self_.at_fence_, channel->message);
  }
  void release(Channel* channel, bool anew) {
    Message& to = channel->message;
    // A lock is let go of by who knows all that was passed on before.
    if (anew || (to.end.clock != 0 && self_.knows(to.end)))
      to = order_.pass_on(self_);
    else
      order_.merge(to, order_.pass_on(self_));
  }
  // What the thread knew at its fence is older than what it knows now: an update adds it to the rest.
  void release_fenced(Channel* channel, bool anew) {
    if (anew) channel->message = {};
    if (self_.has_fence_) order_.merge(channel->message, self_.fenced_);
  }
  void acquire_fence() {
    order_.learn(self_, self_.at_fence_);
    self_.at_fence_ = {};
  }
  void release_fence() {
    self_.fenced_ = order_.pass_on(self_);
    self_.has_fence_ = true;
  }
  void acquire_readers(Channel* channel) { order_.learn(self_, channel->readers); }
  void release_readers(Channel* channel) { order_.merge(channel->readers, order_.pass_on(self_)); }
  void forget(Channel* channel) { *channel = {}; }

 private:
  ThreadOrder& order_;
  Thread& self_;
};

void ThreadOrder::add(const EventRecord& event) {
  using enum EventKind;
  switch (event.kind) {
    case kRead:
    case kWrite:
      return;
    case kAtomicRead:
    case kAtomicWrite:
    case kAtomicUpdate: {
      const bool failed = (event.flags & flag::kFailed) != 0;
      Clocks clocks(*this, begun(event.thread));
      order_atomic(clocks, &channel(event), event.kind != kAtomicWrite,
                   event.kind == kAtomicWrite || (event.kind == kAtomicUpdate && !failed),
                   static_cast<trace::MemoryOrder>(event.order));
      return;
    }
    case kFence: {
      Clocks clocks(*this, begun(event.thread));
      order_fence(clocks, static_cast<trace::MemoryOrder>(event.order));
      return;
    }
    case kFork:
      if ((event.flags & flag::kFailed) == 0) fork(event.thread, event.peer);
      return;
    case kJoin:
      if ((event.flags & (flag::kFailed | flag::kTimedOut)) == 0) join(event.thread, event.peer);
      return;
    case kNotifyOne:
    case kNotifyAll:
    case kFutexWake:
      return notify(event);
    case kCondWake:
    case kFutexAwake:
      return wake(event);
    case kBarrierArrive:
      channel(event).arrivals.push_back({event.thread});
      break;
    case kBarrierLeave:
      return leave_barrier(event);
    case kSignalSend:
      return merge(signals_, pass_on(event.thread));
    case kSignal:
      return learn(event.thread, signals_);
    case kLock:
    case kTryLock:
    case kUnlock:
    case kReadLock:
    case kTryReadLock:
    case kReadUnlock:
      if (relation_ == Relation::kMustOrder) return;
      break;
    case kSemWait:
    case kSemTryWait:
    case kSemPost:
    case kOnceBegin:
    case kOnceEnd:
    case kOncePassed:
    case kAccess:
    case kSyncDestroy:
      break;
    default:
      return;
  }
  if (event.object == 0) return;
  Clocks clocks(*this, begun(event.thread));
  order_sync(clocks, event.kind, event.flags, &channel(event));
}

ThreadOrder::Thread& ThreadOrder::begin(uint32_t index) {
  if (index >= threads_.size()) threads_.resize(std::max<size_t>(index + 1, threads_.size() * 2));
  if (threads_[index].clock_ == 0) begin_in(threads_[index], slots_++, 1);
  return threads_[index];
}

void ThreadOrder::begin_in(Thread& thread, uint32_t slot, uint32_t clock) {
  thread.slot_ = slot;
  thread.clock_ = clock;
}

void ThreadOrder::fork(uint32_t parent, uint32_t child) {
  begun(parent);
  if (child >= threads_.size()) threads_.resize(std::max<size_t>(child + 1, threads_.size() * 2));
  Thread& creator = threads_[parent];
  Thread& created = threads_[child];
  if (created.clock_ == 0) {
    // Looking at a few is enough: who joins threads mostly makes the next ones.
    constexpr size_t kLookedAt = 8;
    const size_t end = free_slots_.size() - std::min(free_slots_.size(), kLookedAt);
    for (size_t i = free_slots_.size(); i > end; --i) {
      const FreeSlot free = free_slots_[i - 1];
      if (!creator.knows({free.slot, free.last})) continue;
      begin_in(created, free.slot, free.last + 1);
      free_slots_.erase(free_slots_.begin() + static_cast<ptrdiff_t>(i - 1));
      break;
    }
    if (created.clock_ == 0) begin_in(created, slots_++, 1);
  }
  learn(created, pass_on(creator));
}

void ThreadOrder::join(uint32_t thread, uint32_t ended) {
  begun(thread);
  Thread& child = begun(ended);
  Thread& self = threads_[thread];
  if (!child.ended_) {
    child.ended_ = true;
    free_slots_.push_back({child.slot_, child.clock_});
  }
  learn(self, {child.known_, child.epoch()});
}

// Who wakes up names who woke it, but not by which of its notifications: the last one to this place, which is
// ordered after the others.
void ThreadOrder::notify(const EventRecord& event) {
  std::vector<Notice>& notices = channel(event).notices;
  Message message = pass_on(event.thread);
  for (Notice& notice : notices) {
    if (notice.thread != event.thread) continue;
    notice.message = std::move(message);
    return;
  }
  notices.push_back({event.thread, std::move(message)});
}

void ThreadOrder::wake(const EventRecord& event) {
  if (event.peer == 0) return;
  for (const Notice& notice : channel(event).notices)
    if (notice.thread + 1 == event.peer) learn(event.thread, notice.message);
}

// The first to leave shows that the phase is complete. All who have arrived wait until then, so they may as
// well learn now what the barrier passes on: by the time they leave, others may have arrived at the next
// phase.
void ThreadOrder::leave_barrier(const EventRecord& event) {
  Channel& barrier = channel(event);
  std::vector<Arrival>& arrivals = barrier.arrivals;
  const auto own = std::ranges::find(arrivals, event.thread, &Arrival::thread);
  // It arrived before the trace begins: at which phase is unknown.
  if (own == arrivals.end()) return learn(event.thread, barrier.message);
  if (!own->released) {
    for (Arrival& arrival : arrivals) {
      if (!arrival.released) learn(arrival.thread, barrier.message);
      arrival.released = true;
    }
  }
  arrivals.erase(own);
}

ThreadOrder::Channel& ThreadOrder::channel(const EventRecord& event) {
  const uint32_t number = channel_numbers_.number(event.object, event.offset);
  if (number >= channels_.size()) channels_.resize(std::max<size_t>(number + 1, channels_.size() * 2));
  return channels_[number];
}

ThreadOrder::Message ThreadOrder::pass_on(uint32_t thread) {
  return pass_on(begun(thread));
}

ThreadOrder::Message ThreadOrder::pass_on(Thread& thread) {
  return {thread.known_, {thread.slot_, thread.clock_++}};
}

void ThreadOrder::learn(Thread& thread, const Message& message) {
  if (message.end.clock != 0) {
    if (thread.knows(message.end)) return;
    thread.known_.learn(pool_, message.known);
    thread.known_.learn(pool_, message.end.thread, message.end.clock);
  } else {
    thread.known_.learn(pool_, message.known);
  }
}

void ThreadOrder::merge(Message& into, const Message& message) {
  if (into.end.clock == 0 && into.known.size() == 0) {
    into = message;
    return;
  }
  if (into.end.clock != 0) {
    into.known.learn(pool_, into.end.thread, into.end.clock);
    into.end = {};
  }
  into.known.learn(pool_, message.known);
  if (message.end.clock != 0) into.known.learn(pool_, message.end.thread, message.end.clock);
}

uint64_t ThreadOrder::bytes() const {
  return pool_.bytes() + threads_.capacity() * sizeof(Thread) + channels_.capacity() * sizeof(Channel);
}

}  // namespace heddle::detect
