// Selectively uniform random walk (Zhao, Wolff, Mathur, Roychoudhury, ASPLOS 2025).
//
// The tool names the statements whose order is of interest, and how many of their executions to expect of
// each thread and of the threads that it will create. The thread of the next interesting event, the intended
// one, is drawn in proportion to what each has left: so every order of the interesting events is equally
// likely. Until that event has been executed the others wait where they come to one of theirs, and everything
// else is a random walk. Where the intended thread cannot go on without those that wait, one of them is drawn
// instead.
#include "runtime/policy.h"
#include "runtime/statement.h"

namespace heddle::rt {
namespace {

using trace::ArenaTableId;

// The intended thread has so many steps to come to its event before one that waits is preferred: perhaps it
// waits for that in a way that nobody recognises. It has half as many each time that happens, so that a
// program which always does that does not take much longer.
inline constexpr uint64_t kPatience = 10000;

struct SurwState {
  Fiber* intended;
  uint64_t drawn_step;
  uint64_t patience;
};
HEDDLE_WORLD SurwState surw;

bool is_of_interest(uint64_t statement) {
  const auto* statements = table<uint64_t>(ArenaTableId::kInputStatements);
  uint64_t begin = 0;
  uint64_t end = descriptor(ArenaTableId::kInputStatements).count;
  while (begin < end) {
    const uint64_t middle = begin + (end - begin) / 2;
    if (statements[middle] == statement) return true;
    if (statements[middle] < statement)
      begin = middle + 1;
    else
      end = middle;
  }
  return false;
}

bool is_of_interest(const Candidate& candidate) {
  return candidate.kind == trace::StepKind::kRun && is_of_interest(statement_of(candidate.fiber));
}

uint64_t expected_of(const Fiber* fiber) {
  if (fiber->schedule_id >= descriptor(ArenaTableId::kInputEstimates).count) return 0;
  return table<uint64_t>(ArenaTableId::kInputEstimates)[fiber->schedule_id];
}

bool waits(const Candidate& candidate) {
  return candidate.fiber != surw.intended && is_of_interest(candidate);
}

// One of `count` with a chance in proportion to its weight; null if none has any.
template <typename FiberAt, typename WeightOf>
void draw_intended(size_t count, FiberAt fiber_at, WeightOf weight_of) {
  uint64_t total = 0;
  for (size_t i = 0; i < count; ++i) total += weight_of(i);
  Fiber* drawn = nullptr;
  uint64_t left = total != 0 ? random_below(total) : 0;
  for (size_t i = 0; i < count && drawn == nullptr && total != 0; ++i) {
    const uint64_t weight = weight_of(i);
    if (left < weight) drawn = fiber_at(i);
    left -= weight;
  }
  surw.intended = drawn;
  surw.drawn_step = rt.steps;
}

// Who is at an event of interest has at least that one left, whatever was expected.
void correct_expectations(const Question& question) {
  for (size_t i = 0; i < question.count; ++i) {
    Fiber* fiber = question.candidates[i].fiber;
    if (fiber->expected == 0 && is_of_interest(question.candidates[i])) fiber->expected = 1;
  }
}

// Some wait, and nobody else can go on or is of any help.
bool is_stuck(const Question& question) {
  bool somebody_waits = false;
  bool somebody_goes_on = false;
  for (size_t i = 0; i < question.count; ++i) {
    if (waits(question.candidates[i]))
      somebody_waits = true;
    else if (can_run(question.candidates[i]))
      somebody_goes_on = true;
  }
  if (!somebody_waits || !somebody_goes_on) return somebody_waits;
  if (rt.steps - surw.drawn_step <= surw.patience) return false;
  surw.patience /= 2;
  return true;
}

}  // namespace

void surw_begin_execution() {
  surw = {.patience = kPatience};
}

// What was expected of it through its creator is now expected of itself.
void surw_add_fiber(Fiber* fiber) {
  fiber->expected = expected_of(fiber);
  if (fiber->index == 0) return;
  Fiber* parent = rt.fibers[fiber->parent];
  parent->expected -= fiber->expected < parent->expected ? fiber->expected : parent->expected;
  const uint64_t both = parent->expected + fiber->expected;
  if (surw.intended == parent && both != 0 && random_below(both) < fiber->expected) surw.intended = fiber;
}

size_t surw_choose(const Question& question) {
  if (descriptor(ArenaTableId::kInputStatements).count == 0)
    return choose_uniformly(question, [&](size_t i) { return is_allowed(question, i); });
  correct_expectations(question);
  const bool gives_way = question.yields && surw.intended == rt.current;
  if (surw.intended == nullptr || surw.intended->state == FiberState::kFinished || gives_way) {
    const auto fiber_at = [](size_t i) { return rt.live[i]; };
    draw_intended(rt.live_count, fiber_at,
                  [&](size_t i) { return gives_way && rt.live[i] == rt.current ? 0 : rt.live[i]->expected; });
  }
  if (is_stuck(question)) {
    const auto fiber_at = [&](size_t i) { return question.candidates[i].fiber; };
    draw_intended(question.count, fiber_at,
                  [&](size_t i) { return waits(question.candidates[i]) ? fiber_at(i)->expected : 0; });
  }
  const size_t chosen = choose_uniformly(
      question, [&](size_t i) { return is_allowed(question, i) && !waits(question.candidates[i]); });
  if (is_of_interest(question.candidates[chosen])) {
    question.candidates[chosen].fiber->expected--;
    surw.intended = nullptr;
  }
  return chosen;
}

}  // namespace heddle::rt
