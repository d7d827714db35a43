// SemaphoreValues: what semaphores hold, as far as executions show it.
//
// Whether a semaphore could have been taken before it was posted depends on its value, which the trace does
// not have. But it was at least as large as what was taken from it: that is taken to be its initial value. If
// it was larger, then the order of posting and taking made no difference.
#pragma once

#include <algorithm>
#include <map>

#include "explore/observation.h"

namespace heddle {

class SemaphoreValues {
 public:
  // Fills in Operation::value where it is not known.
  void fill(Observation* seen) {
    std::map<Key, int64_t> balances;
    for_each(seen, [&](Operation& operation, const Key& key) {
      int64_t& balance = balances[key];
      balance += change_of(operation);
      int64_t& initial = initial_[key];
      initial = std::max(initial, -balance);
    });
    balances.clear();
    for_each(seen, [&](Operation& operation, const Key& key) {
      int64_t& balance = balances[key];
      if (operation.value == 0) operation.value = static_cast<uint32_t>(initial_[key] + balance + 1);
      balance += change_of(operation);
    });
  }

 private:
  using Key = std::pair<uint64_t, uint64_t>;  // object and offset

  static int64_t change_of(const Operation& operation) {
    if (operation.kind == trace::EventKind::kSemPost) return 1;
    return (operation.flags & trace::event_flag::kFailed) != 0 ? 0 : -1;
  }

  template <typename Visit>
  static void for_each(Observation* seen, Visit&& visit) {
    for (ObservedStep& step : seen->steps) {
      for (Operation& operation : step.operations) {
        if (operation.kind == trace::EventKind::kSemPost || operation.kind == trace::EventKind::kSemWait ||
            operation.kind == trace::EventKind::kSemTryWait)
          visit(operation, Key{operation.object, operation.offset});
      }
    }
  }

  std::map<Key, int64_t> initial_;  // at least
};

}  // namespace heddle
