// Runs a strategy on a program to the end of the search.
#pragma once

#include <map>
#include <set>

#include "explore/strategy.h"
#include "interpreter.h"

namespace heddle {

struct SearchResult {
  std::set<std::string> final_states;
  std::map<trace::OutcomeKind, uint64_t> outcomes;
  uint64_t executions = 0;
  uint64_t blocked = 0;
  uint64_t diverged = 0;
  std::set<std::string> schedules;  // of the executions that were neither
  std::set<std::string> orders;     // their happens-before graphs
  uint64_t repeated = 0;            // executions whose graph had been seen before
  bool finished = false;
  Claim claim;
};

enum class Keep { kNothing, kSchedules, kOrders };

// At most `limit` executions.
SearchResult search(const Program& program, Strategy& strategy, uint64_t limit, Keep keep = Keep::kNothing);

// The canonical form of an execution's happens-before graph: equal exactly for equivalent executions.
std::string order_of(const Observation& seen);

}  // namespace heddle
