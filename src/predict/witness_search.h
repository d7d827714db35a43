// WitnessSearch: can these accesses of two threads be executed in this order, and how?
//
// The answer is a witness: a cut of the trace, then the rest of the two threads one event at a time, as far
// as the wanted accesses and the locks in their way demand. The cut is an ideal (ideal.h), so every event in
// it does what it did in the trace. In the tail this is checked event by event: a lock that is taken is free,
// a read sees the write that it saw, whatever else needs something finds it done. Only the wanted accesses
// themselves may read something else; what their threads do up to the last of them is assumed to stay the
// same, and so is that a thread which has come to its wanted access leaves the critical sections it is in.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "predict/ideal.h"
#include "predict/prediction.h"
#include "predict/trace_model.h"

namespace heddle {

class WitnessSearch {
 public:
  // A longer tail is not tried: a person could not follow it, and a directed schedule hardly.
  static constexpr size_t kLongestTail = 4096;

  // `reads_may_differ`: also other reads of the memory in question may see something else. Whether their
  // thread goes on as before is an assumption then.
  explicit WitnessSearch(const TraceModel& model, bool reads_may_differ = false);

  // Where to begin: no later event of the two threads is needed in the cut. Asking in the order of this
  // number is fast, since what is before it is common to all.
  EventIndex begin_of(std::span<const EventIndex> wanted) const;

  struct Answer {
    Witness witness;
    bool assumes_same_path = false;  // a thread goes on although a wanted access has read something else
  };
  // `wanted`: at most four events of two threads, those of each in its order.
  std::optional<Answer> find(std::span<const EventIndex> wanted);

  // Whether `first` comes before `second` in every order: then it is how the threads talk to each other.
  bool is_forced(EventIndex first, EventIndex second);

  // Steps taken so far: what the answers have cost.
  uint64_t work() const { return work_; }
  uint64_t memory_bytes() const {
    return (first_write_.capacity() + writes_.capacity() + base_counts_.capacity()) * sizeof(uint32_t);
  }

 private:
  // A thread in the tail.
  struct Runner {
    uint32_t thread = 0;
    uint32_t next = 0;           // number of its next event
    bool has_read_else = false;  // than in the trace
  };
  enum class Step { kDone, kBlocked, kMissing, kImpossible };

  void move_base(EventIndex to);
  std::optional<Answer> find_above(std::span<const EventIndex> wanted);
  Step run_tail(std::span<const EventIndex> wanted);
  Step run_through(Runner& runner, Runner& other, uint32_t number);
  Step step(Runner& runner, const Runner& other);
  void note_writes_of_tail(EventIndex event);
  void forget_tail();
  Step step_aside(Runner& runner, const Runner& other, EventIndex event);
  Step take_lock(EventIndex event, const Runner& other);
  Step read(EventIndex event);
  Step keep_order(EventIndex event);
  Step require(EventIndex event);
  bool is_executed(EventIndex event) const;
  bool is_wanted(EventIndex event) const;
  bool may_differ(EventIndex event) const;
  uint32_t start_of(EventIndex event) const;

  struct Write {
    EventIndex event = kNoEvent;
    uint8_t bytes = 0;
    bool operator==(const Write&) const = default;
  };
  template <typename Counts>
  std::vector<Write> last_writes(TraceModel::Part part, EventIndex before, Counts&& counts) const;

  const TraceModel& model_;
  const bool reads_may_differ_;
  uint64_t work_ = 0;
  Ideal base_;  // the trace up to base_end_, and what is being tried
  EventIndex base_end_ = 0;
  std::vector<uint32_t> base_counts_;  // by thread: its events before base_end_
  // By location of the model: the writes to it, in the order of the trace.
  std::vector<uint32_t> first_write_;
  std::vector<EventIndex> writes_;
  // Operations on objects that are neither memory nor locks keep their order.
  std::map<std::pair<uint32_t, uint64_t>, std::vector<EventIndex>> chains_;
  std::map<uint32_t, std::vector<EventIndex>> early_releases_;  // by lock: of what was held from the start
  std::vector<EventIndex> allocations_;                         // by object
  std::vector<EventIndex> forks_;                               // by thread

  // Of the attempt.
  std::span<const EventIndex> wanted_;
  Runner runners_[2];
  std::vector<EventIndex> tail_;
  // Writes of the tail, those to one location as a list from the last one to the first.
  struct TailWrite {
    Write write;
    uint32_t before = 0;  // in tail_writes_, plus 1; 0: it is the first
  };
  std::vector<TailWrite> tail_writes_;
  std::vector<uint32_t> last_in_tail_;  // by location of the model: likewise; 0 if the tail has none
  EventIndex cut_end_ = 0;              // no event of the cut comes later in the trace
  EventIndex missing_ = kNoEvent;       // what the cut should have as well
  bool assumes_same_path_ = false;
  EventIndex blocked_on_ = kNoEvent;  // what the other thread should do first
};

}  // namespace heddle
