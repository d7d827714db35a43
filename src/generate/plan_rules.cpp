#include "generate/plan_rules.h"

#include <algorithm>
#include <set>

namespace heddle::generate {
namespace {

// What the calls of one thread share with others.
struct SharedUses {
  std::set<uint32_t> results;  // by method
  std::set<uint32_t> moved;    // of these
  bool uses_other = false;
  bool moves_other = false;
};

SharedUses uses_of(const std::vector<OperationId>& thread, const OperationTable& operations) {
  SharedUses uses;
  std::set<uint32_t> own;  // methods whose latest result is the thread's own
  for (const OperationId call : thread) {
    const Operation& operation = operations[call];
    for (const uint32_t method : operation.needs)
      if (!own.contains(method)) uses.results.insert(method);
    for (const uint32_t method : operation.moves)
      if (!own.contains(method)) uses.moved.insert(method);
    own.insert(operation.callable);
    uses.uses_other = uses.uses_other || operation.takes_other;
    uses.moves_other = uses.moves_other || operation.moves_other;
  }
  return uses;
}

bool disturbs(const SharedUses& one, const SharedUses& other) {
  if (one.moves_other && other.uses_other) return true;
  return std::any_of(one.moved.begin(), one.moved.end(),
                     [&](uint32_t method) { return other.results.contains(method); });
}

}  // namespace

bool uses_what_is_moved_from(const CallPlan& plan, const OperationTable& operations) {
  std::vector<SharedUses> uses;
  for (const std::vector<OperationId>& thread : plan.threads) uses.push_back(uses_of(thread, operations));
  for (size_t i = 0; i < uses.size(); ++i)
    for (size_t j = 0; j < uses.size(); ++j)
      if (i != j && disturbs(uses[i], uses[j])) return true;
  return false;
}

}  // namespace heddle::generate
