// The policies: which thread runs next when no schedule says so. Each one's guarantee is in docs/policies.md.
//
// policy.cpp asks the one that the request names. Each of the others has a file of its own, and is asked only
// where the scheduler has a choice to make; what it chooses is executed at once.
#pragma once

#include "runtime/scheduler.h"

namespace heddle::rt {

// Which of these goes on?
struct Question {
  const Candidate* candidates;
  size_t count;
  int current;         // the running thread's own candidate, or -1
  bool yields;         // the running thread asks for another one
  bool only_runnable;  // time is not to pass; somebody can run without that
};

// A wait whose time has come counts as able to run.
inline bool can_run(const Candidate& candidate) {
  return candidate.kind != trace::StepKind::kTimeout || candidate.fiber->op.deadline <= rt.clock;
}
inline bool is_allowed(const Question& question, size_t candidate) {
  return !question.only_runnable || can_run(question.candidates[candidate]);
}

// Uniformly among those for which `is_meant` holds; there are some. Not the running thread, if it yields and
// there are others.
template <typename IsMeant>
size_t choose_uniformly(const Question& question, IsMeant is_meant) {
  size_t meant = 0;
  for (size_t i = 0; i < question.count; ++i) meant += is_meant(i) ? 1 : 0;
  const bool skips = question.yields && question.current >= 0 && meant > 1 &&
                     is_meant(static_cast<size_t>(question.current));
  size_t left = random_below(skips ? meant - 1 : meant);
  for (size_t i = 0;; ++i) {
    if (!is_meant(i) || (skips && i == static_cast<size_t>(question.current))) continue;
    if (left-- == 0) return i;
  }
}

void pct_begin_execution();
void pct_add_fiber(Fiber* fiber);
void pct_demote(Fiber* fiber);
size_t pct_choose(const Question& question);

// POS in two halves, for policies that build on it. Each pending operation has a priority of its own; those
// of threads that yield are `kLowestPriority`.
inline constexpr int64_t kLowestPriority = 1;
void pos_draw(const Question& question);
void pos_note_chosen(Fiber* chosen);
size_t pos_choose(const Question& question);

void surw_begin_execution();
void surw_add_fiber(Fiber* fiber);
size_t surw_choose(const Question& question);

void meet_begin_execution();
size_t meet_choose(const Question& question);

void reads_from_begin_execution();
size_t reads_from_choose(const Question& question);

}  // namespace heddle::rt
