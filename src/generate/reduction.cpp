#include "generate/reduction.h"

#include <functional>
#include <utility>
#include <vector>

namespace heddle::generate {
namespace {

bool is_same(const TestFailure& one, const TestFailure& other) {
  if (one.kind != other.kind) return false;
  // Of wrong results it is not always to be seen what was torn.
  if (one.kind == trace::OutcomeKind::kAtomicity)
    return one.unit.empty() || other.unit.empty() || one.unit == other.unit;
  return one.identity == other.identity;
}

class Reducer {
 public:
  Reducer(ConcurrentTrial& trial, const OperationTable& operations, TestFailure failure,
          const TrialOptions& options, uint64_t most_tests)
      : trial_(trial),
        operations_(operations),
        smallest_(std::move(failure)),
        options_(options),
        most_tests_(most_tests) {}

  Expected<TestFailure> reduce() {
    bool again = true;
    while (again && !error_) {
      again = drop_calls(&CallPlan::before);
      again = drop_calls(&CallPlan::after) || again;
      again = drop_thread_calls() || again;
      again = simplify() || again;
    }
    if (error_) return tl::unexpected(*error_);
    return std::move(smallest_);
  }

 private:
  bool try_instead(const CallPlan& plan) {
    if (error_ || tests_ >= most_tests_ || (options_.time != nullptr && options_.time->is_over()))
      return false;
    ++tests_;
    Expected<TrialResult> result = trial_.try_plan(plan, options_);
    if (!result) {
      error_ = result.error();
      return false;
    }
    if (!result->failure || !is_same(*result->failure, smallest_)) return false;
    smallest_ = std::move(*result->failure);
    return true;
  }

  // Results of a call that is gone cannot be taken by later ones.
  bool has_all_results(const CallPlan& plan) const {
    const auto has = [&](const std::vector<OperationId>& calls, uint32_t method, size_t up_to) {
      for (size_t i = 0; i < up_to; ++i) {
        if (operations_[calls[i]].callable == method) return true;
      }
      return false;
    };
    const auto fits = [&](const std::vector<OperationId>& calls, bool is_before) {
      for (size_t i = 0; i < calls.size(); ++i) {
        for (const uint32_t method : operations_[calls[i]].needs) {
          if (has(calls, method, i)) continue;
          if (is_before || !has(plan.before, method, plan.before.size())) return false;
        }
      }
      return true;
    };
    if (!fits(plan.before, true) || !fits(plan.after, false)) return false;
    for (const std::vector<OperationId>& thread : plan.threads) {
      if (!fits(thread, false)) return false;
    }
    return true;
  }

  bool drop_calls(std::vector<OperationId> CallPlan::* part) {
    bool dropped = false;
    for (size_t i = (smallest_.plan.*part).size(); i-- > 0;) {
      CallPlan plan = smallest_.plan;
      (plan.*part).erase((plan.*part).begin() + static_cast<std::ptrdiff_t>(i));
      if (has_all_results(plan) && try_instead(plan)) dropped = true;
    }
    return dropped;
  }

  bool drop_thread_calls() {
    bool dropped = false;
    for (size_t thread = smallest_.plan.threads.size(); thread-- > 0;) {
      for (size_t i = smallest_.plan.threads[thread].size(); i-- > 0;) {
        CallPlan plan = smallest_.plan;
        plan.threads[thread].erase(plan.threads[thread].begin() + static_cast<std::ptrdiff_t>(i));
        if (plan.threads[thread].empty()) {
          if (plan.threads.size() < 3) continue;
          plan.threads.erase(plan.threads.begin() + static_cast<std::ptrdiff_t>(thread));
        }
        if (!has_all_results(plan) || !try_instead(plan)) continue;
        dropped = true;
        if (smallest_.plan.threads.size() <= thread) break;
      }
    }
    return dropped;
  }

  // Operations of a method are numbered from the simplest on.
  bool simplify() {
    bool simplified = false;
    const auto try_simpler = [&](const std::function<OperationId&(CallPlan&)>& place) {
      const OperationId now = place(smallest_.plan);
      for (const Operation& simpler : operations_.operations) {
        if (simpler.id >= now) break;
        const Operation& call = operations_[now];
        if (simpler.is_constructor != call.is_constructor || simpler.callable != call.callable ||
            simpler.receiver != call.receiver)
          continue;
        CallPlan plan = smallest_.plan;
        place(plan) = simpler.id;
        if (!has_all_results(plan) || !try_instead(plan)) continue;
        simplified = true;
        return;
      }
    };
    for (size_t i = 0; i < smallest_.plan.before.size(); ++i)
      try_simpler([i](CallPlan& plan) -> OperationId& { return plan.before[i]; });
    for (size_t thread = 0; thread < smallest_.plan.threads.size(); ++thread) {
      for (size_t i = 0; i < smallest_.plan.threads[thread].size(); ++i)
        try_simpler([thread, i](CallPlan& plan) -> OperationId& { return plan.threads[thread][i]; });
    }
    try_simpler([](CallPlan& plan) -> OperationId& { return plan.constructor; });
    return simplified;
  }

  ConcurrentTrial& trial_;
  const OperationTable& operations_;
  TestFailure smallest_;
  const TrialOptions options_;
  const uint64_t most_tests_;
  uint64_t tests_ = 0;
  std::optional<Error> error_;
};

}  // namespace

Expected<TestFailure> reduce(ConcurrentTrial& trial, const OperationTable& operations, TestFailure failure,
                             const TrialOptions& options, uint64_t most_tests) {
  return Reducer(trial, operations, std::move(failure), options, most_tests).reduce();
}

}  // namespace heddle::generate
