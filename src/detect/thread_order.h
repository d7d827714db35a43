// ThreadOrder: which earlier events are ordered before what a thread does now.
//
// Every thread counts its *intervals*; one ends whenever the thread passes its knowledge on. What it knows of
// the intervals of others is a ClockVector. Threads have slots in these vectors; the slot of a joined thread
// is used again by a thread whose creator knows of the end.
//
// Three relations, each containing the one before:
//   kMustOrder      what holds in every schedule of the same events: program order, fork and join, notify and
//                   wait, post and wait, barriers, once, atomics. Not the order of critical sections.
//   kHappensBefore  also unlock → later lock.
//   kWithReadsFrom  also write → read of what it wrote (SHB), which the caller adds by passing messages.
#pragma once

#include <cstdint>
#include <vector>

#include "detect/clock_vector.h"
#include "detect/race_granule.h"
#include "trace/layout.h"
#include "trace/location_index.h"

namespace heddle::detect {

enum class Relation { kMustOrder, kHappensBefore, kWithReadsFrom };

class ThreadOrder {
 public:
  explicit ThreadOrder(Relation relation) : relation_(relation) {}
  ThreadOrder(const ThreadOrder&) = delete;

  // What a thread passed on at the end of an interval. Who knows of that interval knows all of it already.
  struct Message {
    ClockVector known;
    Epoch end;  // clock 0: several messages in one, or none
  };

  // A thread as it is now. The reference holds until the next event.
  class Thread {
   public:
    Epoch epoch() const { return {slot_, clock_}; }
    const ClockVector& known() const { return known_; }
    bool knows(Epoch past) const {
      return past.clock <= known_[past.thread] || (past.thread == slot_ && past.clock <= clock_);
    }

   private:
    friend class ThreadOrder;
    uint32_t slot_ = 0;
    uint32_t clock_ = 0;  // 0: it has not begun
    bool ended_ = false;
    bool has_fence_ = false;
    ClockVector known_;
    Message at_fence_;  // relaxed loads have seen it; an acquire fence makes it known
    Message fenced_;    // passed on by the last release fence
  };
  const Thread& thread(uint32_t index) { return begun(index); }

  // The event happens: its thread learns, or passes on.
  void add(const trace::EventRecord& event);

  // Ends an interval of the thread, and what it knew.
  Message pass_on(uint32_t thread);
  void learn(uint32_t thread, const Message& message) { learn(begun(thread), message); }

  uint64_t bytes() const;

 private:
  struct Notice {
    uint32_t thread;
    Message message;
  };
  // A thread that waits at a barrier.
  struct Arrival {
    uint32_t thread;
    bool released = false;  // its phase is complete
  };
  // What has been passed on through one lock, semaphore, atomic …
  struct Channel {
    Message message;
    Message readers;
    std::vector<Notice> notices;  // the last one of each notifying thread
    std::vector<Arrival> arrivals;
  };
  class Clocks;

  Thread& begun(uint32_t index) {
    if (index < threads_.size() && threads_[index].clock_ != 0) [[likely]]
      return threads_[index];
    return begin(index);
  }
  Thread& begin(uint32_t index);
  void begin_in(Thread& thread, uint32_t slot, uint32_t clock);
  void fork(uint32_t parent, uint32_t child);
  void join(uint32_t thread, uint32_t ended);
  void notify(const trace::EventRecord& event);
  void wake(const trace::EventRecord& event);
  void leave_barrier(const trace::EventRecord& event);
  Channel& channel(const trace::EventRecord& event);

  Message pass_on(Thread& thread);
  void learn(Thread& thread, const Message& message);
  void merge(Message& into, const Message& message);

  Relation relation_;
  ClockPool pool_;
  std::vector<Thread> threads_;
  struct FreeSlot {
    uint32_t slot;
    uint32_t last;  // interval of the thread that left it
  };
  std::vector<FreeSlot> free_slots_;
  uint32_t slots_ = 0;
  trace::LocationIndex channel_numbers_;
  std::vector<Channel> channels_;
  Message signals_;  // who gets a signal that is sent to the process is settled late
};

}  // namespace heddle::detect
