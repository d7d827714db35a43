// CausalOrder: which steps of an execution must come before which, and where that could be otherwise.
//
// A step happens before a later one if they belong to the same thread, if the order of what they do matters
// (trace/dependence.h), if the one creates, ends or wakes the thread of the other, and by transitivity. Two
// executions with the same order are equivalent. Two steps race if the one happens before the other and
// nothing is between them: then they can perhaps be executed the other way round, which gives an execution
// that is not equivalent.
//
// A lock never races with an unlock, which it cannot precede, but with the lock that the unlock ends. Only if
// it can time out, then that can happen before the unlock.
//
// Steps are added at the end and taken back from the end: what two executions have in common is analysed
// once. Each step has a vector clock, so the order of two steps is one comparison.
#pragma once

#include <optional>

#include "explore/location_table.h"

namespace heddle {

// By thread: how many of its steps.
using Clock = std::vector<uint32_t>;

struct Race {
  uint32_t first = 0;
  bool by_timeout = false;  // before the first step, the second can only end by a timeout
  Clock past;               // what must come before the second step even if it comes before the first
};

class CausalOrder {
 public:
  size_t size() const { return steps_.size(); }

  // Adds a step, and lists its races with earlier ones.
  void push(uint32_t thread, const Effects& effects, std::vector<Race>* races);
  // Adds a step that is a part of the one before, a notify: it wakes that thread.
  void push_wake(uint32_t woken);
  void pop_to(size_t size);

  // The races that a step would have which a thread waits for in vain.
  void races_of_stuck(uint32_t thread, const Effects& effects, std::vector<Race>* races) const;

  bool happens_before(size_t first, size_t second) const {
    const Step& step = steps_[first];
    return at(clock_of(second), step.thread) >= step.number;
  }
  // Whether the order of the two does not depend on what the second one itself does.
  bool precedes_anyway(size_t first, size_t second) const;
  // Whether a step was the next one of its thread already before an earlier step of another thread.
  bool was_next(size_t step, size_t earlier) const {
    return steps_[step].before != kNoStep && steps_[step].before < earlier;
  }
  bool is_in(const Clock& past, size_t step) const {
    return steps_[step].thread < past.size() && past[steps_[step].thread] >= steps_[step].number;
  }
  uint32_t thread_of(size_t step) const { return steps_[step].thread; }
  // Of what happens before a step, and its thread. Equal for the same steps of equivalent executions.
  uint64_t hash_of(size_t step) const;

 private:
  struct Step {
    uint32_t thread = 0;
    uint32_t number = 0;           // among the steps of its thread, from 1
    uint32_t before = kNoStep;     // the step of the thread before it
    uint32_t last_exit = kNoStep;  // before this step
    size_t mark = 0;               // of locations_ before this step
    uint32_t woken = kNoStep;      // by this step
    size_t changes = 0;            // size of changes_ before this step
  };
  struct Source {
    uint32_t race;  // the step that it could race with
    uint32_t step;  // the step that happens before it
    bool releases;
    bool holds;  // the thread still holds what it acquired then
    bool takes;  // both take from a semaphore
  };
  // What a thread depends on apart from what it does.
  struct Cause {
    uint32_t created = kNoStep;  // the steps that created and woke it
    uint32_t woken = kNoStep;
    bool waits = false;
    uint64_t object = 0;  // for this condition
    uint64_t offset = 0;
  };
  struct Change {
    uint32_t thread;
    Cause before;
  };

  void find_past(uint32_t thread, const Effects& effects, bool stuck, Clock* past,
                 std::vector<Race>* races) const;
  std::optional<Clock> past_of_lock(const Clock& before, const std::vector<Source>& sources,
                                    const Source& source) const;
  Clock past_without(const Clock& before, const std::vector<Source>& sources, uint32_t step) const;
  void find_sources(uint32_t thread, const Effect& effect, bool stuck, std::vector<Source>* sources) const;
  const uint32_t* clock_of(size_t step) const { return clocks_.data() + step * stride_; }
  uint32_t at(const uint32_t* clock, uint32_t thread) const { return thread < stride_ ? clock[thread] : 0; }
  void join(Clock* past, size_t step) const;
  void make_room_for(uint32_t thread);
  void note_causes(uint32_t thread, const Effect& effect, uint32_t step);
  Cause& change(uint32_t thread);

  std::vector<Step> steps_;
  LocationTable locations_;
  size_t stride_ = 4;
  std::vector<uint32_t> clocks_;  // of all steps
  std::vector<uint32_t> last_;    // by thread: its last step
  std::vector<Cause> causes_;     // by thread
  std::vector<Change> changes_;   // of causes_
  uint32_t last_exit_ = kNoStep;  // the last step that everything depends on
};

}  // namespace heddle
