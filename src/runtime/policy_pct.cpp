// PCT (Burckhardt, Kothari, Musuvathi, Nagarakatte, ASPLOS 2010).
#include "runtime/address_space.h"
#include "runtime/policy.h"

namespace heddle::rt {
namespace {

inline constexpr size_t kMaxChangePoints = 1000;  // trace::kMaxPctDepth

struct PctState {
  uint64_t* change_steps;
  uint32_t change_count;
  uint32_t change_room;
  int64_t lowest;  // priorities handed out to demoted threads fall below every earlier one
};
HEDDLE_WORLD PctState pct;

// Initial priorities lie above every change point's (1 … d), and those above every demoted one's (negative):
// a thread that waits for another one by yielding must not keep it from running.
inline constexpr int64_t kPriorityBase = int64_t{1} << 61;

// Steps of an execution to draw change points from when nothing has been learned yet.
inline constexpr uint64_t kDefaultLength = 100;

}  // namespace

void pct_begin_execution() {
  pct.change_count = 0;
  pct.lowest = 0;
  if (rt.request.policy != trace::PolicyKind::kPct) return;
  const uint64_t length = rt.request.pct_length != 0 ? rt.request.pct_length : kDefaultLength;
  const uint32_t changes = rt.request.pct_depth > 0 ? rt.request.pct_depth - 1 : 0;
  pct.change_count = changes < kMaxChangePoints ? changes : kMaxChangePoints;
  if (pct.change_room < pct.change_count) {
    pct.change_steps = static_cast<uint64_t*>(own_memory(pct.change_count * sizeof(uint64_t)));
    pct.change_room = pct.change_count;
  }
  for (uint32_t i = 0; i < pct.change_count; ++i) pct.change_steps[i] = 1 + random_below(length);
}

void pct_add_fiber(Fiber* fiber) {
  fiber->priority = kPriorityBase + static_cast<int64_t>(next_random() >> 4);
}

void pct_demote(Fiber* fiber) {
  fiber->priority = --pct.lowest;
}

size_t pct_choose(const Question& question) {
  for (uint32_t i = 0; i < pct.change_count; ++i) {
    if (pct.change_steps[i] == rt.steps + 1 && question.current >= 0) rt.current->priority = i + 1;
  }
  if (question.yields) pct_demote(rt.current);
  size_t best = question.count;
  for (size_t i = 0; i < question.count; ++i) {
    if (!is_allowed(question, i)) continue;
    if (best == question.count ||
        question.candidates[i].fiber->priority > question.candidates[best].fiber->priority)
      best = i;
  }
  return best;
}

}  // namespace heddle::rt
