#include "generate/observers.h"

#include <set>

namespace heddle::generate {
namespace {

// More makes tests long to read.
constexpr size_t kMostObservers = 8;

bool only_looks(const Operation& operation) {
  return !operation.is_constructor && operation.is_const && operation.has_result && operation.needs.empty() &&
         !operation.takes_other && operation.receiver == "object";
}

}  // namespace

Expected<std::vector<OperationId>> choose_observers(CallRunner& runner, const OperationTable& operations,
                                                    OperationId constructor) {
  std::vector<OperationId> observers;
  std::set<uint32_t> asked;
  for (const Operation& operation : operations.operations) {
    if (observers.size() >= kMostObservers && !operation.only_afterwards) continue;
    if (!only_looks(operation) || asked.contains(operation.callable)) continue;
    const CallPlan plan{.constructor = constructor, .before = {operation.id}, .threads = {}, .after = {}};
    const Expected<CallRun> run = runner.run_alone(plan, /*observes=*/false);
    if (!run) return tl::unexpected(run.error());
    if (run->end != RunEnd::kFinished) continue;
    asked.insert(operation.callable);
    observers.push_back(operation.id);
  }
  return observers;
}

}  // namespace heddle::generate
