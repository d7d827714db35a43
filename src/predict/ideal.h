// Ideal: the least set of events that contains given ones and can be executed by itself.
//
// The sync-preserving ideal of POPL'21 (Mathur, Pavlogiannis, Viswanathan: "Optimal prediction of
// synchronization-preserving races"): closed under program order, under what events need (trace_model.h), and
// such that of two acquisitions of one lock that exclude each other the earlier one's release is in it. Since
// it is closed under program order it is a *cut*: how many events of each thread are in it. Executed in the
// order of the trace it is a correct reordering of the trace, and every correct reordering that keeps the
// order of critical sections and executes the given events contains it.
//
// It grows: add() costs time in proportion to what becomes part of it. That works since each lock has one
// section at most that may be open, the latest: an acquisition that joins later than all others demands the
// release of the one that was latest so far, any other one demands its own release. Readers among themselves
// demand nothing.
//
// try_out() … undo() bracket additions that are taken back, at the cost of what they added.
#pragma once

#include <cstdint>
#include <vector>

#include "predict/trace_model.h"

namespace heddle {

// Of a trace that ideals are computed for: there is one for each thread, and each as long as there are
// threads.
inline constexpr uint32_t kMaxThreads = 4096;

class Ideal {
 public:
  explicit Ideal(const TraceModel& model);

  // The event and all that it needs. Adding what is in it already costs nothing.
  void add(EventIndex event) { add_prefix(model_->thread_of(event), model_->number_of(event) + 1); }
  // What must have happened for an event to be next: what comes before it in its thread, and that there is
  // the thread, and the memory that it accesses. Not what decides what it does.
  void add_before(EventIndex event);
  void add_prefix(uint32_t thread, uint32_t count) {
    if (count <= cut_[thread]) return;
    demand(thread, count);
    close();
  }
  // By thread; prefixes that are closed, or nearly, take less time together than one after the other.
  void add_prefixes(const std::vector<uint32_t>& counts);
  // Begins anew with a cut that is closed under needs already, such as the union of ideals: what must be
  // added is found without following their links again.
  void assign(const std::vector<uint32_t>& cut);

  bool contains(EventIndex event) const { return model_->number_of(event) < cut_[model_->thread_of(event)]; }
  // By thread: how many of its events are in it.
  const std::vector<uint32_t>& cut() const { return cut_; }
  // False once it would have to contain the end of a critical section that never ends. Then nothing that it
  // was asked to contain can be executed, and the cut means nothing.
  bool feasible() const { return feasible_; }

  void try_out();
  void undo();
  // Until undo(): as soon as it would contain this event, it is not feasible any more, and grows no further.
  void forbid(EventIndex event);

  // Of one ideal over this model.
  static uint64_t memory_bytes(const TraceModel& model) {
    return model.thread_count() * uint64_t{3 * sizeof(uint32_t)} +
           model.lock_count() * uint64_t{sizeof(LockState) + sizeof(uint32_t)};
  }

  // Links followed since it was made: a measure of the time spent.
  uint64_t work() const { return work_; }

 private:
  struct Latest {
    EventIndex acquire = kNoEvent;
    EventIndex release = kNoEvent;
    uint32_t release_thread = 0;
    uint32_t release_number = 0;
  };
  // What is in the ideal of one lock, as far as it still matters.
  struct LockState {
    Latest exclusive;
    EventIndex shared = kNoEvent;  // the latest acquisition by a reader
  };
  struct OldCut {
    uint32_t thread = 0;
    uint32_t count = 0;
    uint32_t link = 0;
  };

  static Latest section_of(const Link& link) {
    return {link.acquire(), link.release(), link.release_thread, link.release_number};
  }
  void demand(uint32_t thread, uint32_t count);
  void demand_release(const Latest& section);
  void close();
  void assign_lock(uint32_t lock);
  void acquire(const Link& link);
  void acquire_shared(const Link& link);
  void demand_readers_before(uint32_t lock, EventIndex acquire);
  LockState& change(uint32_t lock);

  const TraceModel* model_;
  std::vector<uint32_t> cut_;
  std::vector<uint32_t> next_link_;  // by thread: the first link that has not been followed
  std::vector<LockState> locks_;
  std::vector<uint32_t> pending_;  // threads that have links to follow
  bool feasible_ = true;
  uint64_t work_ = 0;

  struct Forbidden {
    uint32_t thread = 0;
    uint32_t number = 0;
  };

  bool trying_ = false;
  bool was_feasible_ = true;
  uint32_t trial_ = 0;
  std::vector<uint32_t> thread_saved_;  // by thread: the last trial in which its cut was saved
  std::vector<uint32_t> lock_saved_;
  std::vector<Forbidden> forbidden_;
  std::vector<OldCut> old_cuts_;
  std::vector<std::pair<uint32_t, LockState>> old_locks_;
};

}  // namespace heddle
