// Threads wait at certain places for each other, after Sen, "Race Directed Random Testing of Concurrent
// Programs" (RaceFuzzer), PLDI 2008, and its sister for deadlocks.
//
// The tool names sites. A thread about to execute one of them waits until another one is about to execute one
// of them on overlapping memory, with one of the two writing: then both do so, one right after the other. A
// thread that takes a lock there waits in the same way, so that others can take what it is going to want.
// Nobody waits when nobody else can go on. With seed 0 the others run as they would without preemption, else
// at random.
//
// Policy delay is the same without the meeting: a thread about to execute one of some statements, which are
// told apart by their calls here, waits until nobody else can go on, each time it comes there.
#include "runtime/policy.h"
#include "runtime/statement.h"
#include "trace/dependence.h"

namespace heddle::rt {
namespace {

using trace::ArenaTableId;
using trace::OperationClass;

struct Meeting {
  const Fiber* follows;  // executes its operation next, since the one that it has met just did
  bool over;             // nobody waits any more
  int64_t arrivals;      // so far; a waiting thread's priority is its number
  uint64_t waits;        // steps at which somebody waited
};
HEDDLE_WORLD Meeting meeting;

// So many steps of waiting show that what the others do is waiting, too.
inline constexpr uint64_t kPatience = 20000;

bool never_meet() {
  return rt.request.policy == trace::PolicyKind::kDelay;
}

bool is_place(const Candidate& candidate) {
  if (candidate.kind != trace::StepKind::kRun || candidate.fiber->op.pc == 0) return false;
  const uint64_t place = never_meet() ? statement_of(candidate.fiber) : site_key_of(candidate.fiber);
  const auto* places = table<uint64_t>(ArenaTableId::kInputStatements);
  const size_t count = descriptor(ArenaTableId::kInputStatements).count;
  for (size_t i = 0; i < count; ++i) {
    if (places[i] == place) return true;
  }
  return false;
}

bool is_waiting(const Candidate& candidate) {
  return candidate.fiber->priority != 0;
}

bool meet(const Op& a, const Op& b) {
  return trace::has_extent(a.kind) && trace::has_extent(b.kind) &&
         trace::classes_depend(trace::class_of(a.kind, 0), trace::class_of(b.kind, 0)) &&
         a.object < b.object + b.size && b.object < a.object + a.size;
}

void note_arrivals(const Question& question) {
  for (size_t i = 0; i < question.count; ++i) {
    Fiber* fiber = question.candidates[i].fiber;
    if (fiber->priority == 0 && is_place(question.candidates[i])) fiber->priority = ++meeting.arrivals;
  }
}

struct Pair {
  size_t earlier;
  size_t later;
};

bool find_pair(const Question& question, Pair* pair) {
  for (size_t i = 0; i < question.count; ++i) {
    for (size_t j = 0; j < question.count; ++j) {
      const Fiber* a = question.candidates[i].fiber;
      const Fiber* b = question.candidates[j].fiber;
      if (a->priority == 0 || a->priority >= b->priority || !meet(a->op, b->op)) continue;
      *pair = {i, j};
      return true;
    }
  }
  return false;
}

// Among those for which `is_meant` holds; there are some.
template <typename IsMeant>
size_t choose_among(const Question& question, IsMeant is_meant) {
  if (rt.request.seed != 0) return choose_uniformly(question, is_meant);
  if (question.current >= 0 && !question.yields && is_meant(static_cast<size_t>(question.current)))
    return static_cast<size_t>(question.current);
  size_t first = question.count;
  for (size_t i = 0; i < question.count; ++i) {
    if (!is_meant(i)) continue;
    if (question.candidates[i].fiber->index > rt.current->index) return i;
    if (first == question.count) first = i;
  }
  return first;
}

size_t longest_waiting(const Question& question) {
  size_t best = question.count;
  for (size_t i = 0; i < question.count; ++i) {
    if (!is_waiting(question.candidates[i])) continue;
    if (best == question.count ||
        question.candidates[i].fiber->priority < question.candidates[best].fiber->priority) {
      best = i;
    }
  }
  return best;
}

size_t choose(const Question& question) {
  const auto goes_on = [&](size_t i) {
    return can_run(question.candidates[i]) && !is_waiting(question.candidates[i]);
  };
  bool somebody_waits = false;
  bool somebody_goes_on = false;
  for (size_t i = 0; i < question.count; ++i) {
    somebody_waits |= is_waiting(question.candidates[i]);
    somebody_goes_on |= goes_on(i);
  }
  if (somebody_waits && ++meeting.waits == kPatience) meeting.over = true;
  if (somebody_goes_on) return choose_among(question, goes_on);
  if (!somebody_waits) return choose_among(question, [&](size_t i) { return is_allowed(question, i); });
  if (rt.request.seed == 0) return longest_waiting(question);
  return choose_uniformly(question, [&](size_t i) { return is_waiting(question.candidates[i]); });
}

size_t choose_or_let_meet(const Question& question) {
  for (size_t i = 0; meeting.follows != nullptr && i < question.count; ++i) {
    if (question.candidates[i].fiber != meeting.follows) continue;
    meeting.follows = nullptr;
    return i;
  }
  if (!meeting.over) note_arrivals(question);
  Pair pair;
  if (meeting.over || never_meet() || !find_pair(question, &pair)) return choose(question);
  const bool reversed = rt.request.policy == trace::PolicyKind::kMeetReversed;
  const size_t first = reversed ? pair.later : pair.earlier;
  meeting.follows = question.candidates[reversed ? pair.earlier : pair.later].fiber;
  meeting.over = true;
  for (uint32_t i = 0; i < rt.live_count; ++i) rt.live[i]->priority = 0;
  return first;
}

}  // namespace

void meet_begin_execution() {
  meeting = {};
  meeting.over = descriptor(ArenaTableId::kInputStatements).count == 0;
}

size_t meet_choose(const Question& question) {
  const size_t chosen = choose_or_let_meet(question);
  question.candidates[chosen].fiber->priority = 0;
  return chosen;
}

}  // namespace heddle::rt
