// Partial-order sampling (Yuan, Yang, Gu, CAV 2018): each pending operation has a priority of its own, and
// the order of two operations that conflict is drawn anew once one of them has been executed.
#include "runtime/dependence.h"
#include "runtime/policy.h"

namespace heddle::rt {

// Priority 0: not drawn yet.
void pos_draw(const Question& question) {
  if (question.yields) rt.current->priority = kLowestPriority;
  for (size_t i = 0; i < question.count; ++i) {
    Fiber* fiber = question.candidates[i].fiber;
    if (fiber->priority == 0)
      fiber->priority = kLowestPriority + 1 + static_cast<int64_t>(next_random() >> 2);
  }
}

void pos_note_chosen(Fiber* chosen) {
  for (uint32_t i = 0; i < rt.live_count; ++i) {
    Fiber* other = rt.live[i];
    if (other == chosen || depends(other->op, chosen->op)) other->priority = 0;
  }
}

size_t pos_choose(const Question& question) {
  pos_draw(question);
  size_t best = question.count;
  for (size_t i = 0; i < question.count; ++i) {
    if (!is_allowed(question, i)) continue;
    if (best == question.count ||
        question.candidates[i].fiber->priority > question.candidates[best].fiber->priority)
      best = i;
  }
  pos_note_chosen(question.candidates[best].fiber);
  return best;
}

}  // namespace heddle::rt
