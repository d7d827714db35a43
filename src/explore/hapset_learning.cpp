#include "explore/hapset_learning.h"

#include <algorithm>
#include <map>
#include <unordered_map>

#include "history/statement.h"

namespace heddle {
namespace {

using trace::EventKind;
using trace::OperationClass;

// The last operation of each thread on one location.
struct Uses {
  struct Use {
    Effect effect;
    uint32_t thread = 0;
    uint64_t time = 0;
    uint64_t statement = 0;
  };
  std::map<uint32_t, Use> by_thread;
  uint64_t end = 0;
};

// Reads and writes, locks, waits and notifies.
bool is_learned(const Effect& effect) {
  return effect.kind != OperationClass::kNone && effect.kind != OperationClass::kEverything &&
         !lets_go(effect);
}

}  // namespace

bool lets_go(const Effect& effect) {
  return effect.releases || effect.kind == OperationClass::kPost;
}

uint64_t statement_of(const Operation& operation, trace::StepKind chosen) {
  return chosen == trace::StepKind::kTimeout ? operation.statement ^ kTimedOutMark : operation.statement;
}

// Section 4 of the paper. Looking back ends at what the thread itself did last to the object: in the paper's
// first example e3 has no predecessor, since e2 of the same thread is between.
size_t learn(const Observation& seen, HapSet* sets) {
  std::unordered_map<uint64_t, std::map<uint64_t, Uses>> objects;  // locations by their beginnings
  const size_t size = sets->size();
  uint64_t time = 0;
  for (const ObservedStep& step : seen.steps) {
    for (const Operation& operation : step.operations) {
      const Effect effect = effect_of(operation);
      if (!is_learned(effect)) continue;
      const uint32_t thread = step.chosen.thread;
      const uint64_t statement = statement_of(operation, step.chosen.kind);
      auto& locations = objects[effect.object];
      auto at = locations.upper_bound(effect.begin);
      while (at != locations.begin() && std::prev(at)->second.end > effect.begin) --at;
      for (; at != locations.end() && at->first < effect.end; ++at) {
        const auto own = at->second.by_thread.find(thread);
        const uint64_t since = own == at->second.by_thread.end() ? 0 : own->second.time;
        for (const auto& [other, use] : at->second.by_thread) {
          if (other != thread && use.time > since && depend(use.effect, effect))
            sets->add({statement, use.statement, thread > other});
        }
      }
      Uses& uses = locations[effect.begin];
      uses.end = std::max(uses.end, effect.end);
      uses.by_thread[thread] = {effect, thread, ++time, statement};
    }
  }
  return sets->size() - size;
}

}  // namespace heddle
