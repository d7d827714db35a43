// Strategy: decides which schedules to execute. Each strategy is one class; `heddle explore` asks next() and
// learn() in turn until the search is over, the budget is spent, or a failure ends it (exploration.cpp).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "explore/observation.h"
#include "trace/policy.h"

namespace heddle {

// A choice that has been made already where the prefix of a plan ends, or before and is still the same.
struct Sleeper {
  Choice choice;
  bool looks_only = false;  // its operation only looked then (a failed compare-exchange or try-lock)
};

// What the random policies that a search guides have to know (docs/policies.md).
struct Guidance {
  std::vector<uint64_t> statements;  // surw: those of interest, sorted
  std::vector<uint64_t> estimates;   // surw: by thread, how many events of interest it and those that it
                                     // creates will have
  std::vector<trace::ConstraintRecord> constraints;  // rf
};

// What to execute: these choices first, then `then` decides.
struct Plan {
  std::vector<Choice> prefix;
  // Not to be chosen after the prefix until something that depends on it has been executed (a sleep set).
  std::vector<Sleeper> asleep;
  trace::PolicySpec then;
  Guidance guidance;
  // So many choices of the prefix have been made before in this order: if they cannot be made again, the
  // program is not deterministic. Whether the others can be made is not certain.
  size_t known = 0;
  // The prefix may run threads that wait in a loop although others could run, as random policies do.
  bool runs_spinning = false;
};

// How much of an execution a strategy has to see: the less, the faster executions are.
enum class Detail {
  kOutcome,     // steps are empty
  kChoices,     // steps have no operations
  kEvents,      // steps have no alternatives, and those that did nothing are left out
  kOperations,  // and alternatives, but no accesses whose order synchronisation decides
};

// What may be said once next() has returned nothing.
struct Claim {
  bool complete = false;       // every interleaving was executed, or one that is equivalent to it
  uint64_t interleavings = 0;  // how many were executed, each once
  std::string meaning;         // "all interleavings with at most 2 preemptions"
};

class HapSet;

class Strategy {
 public:
  virtual ~Strategy() = default;

  virtual Detail detail() const = 0;
  // Nothing when the search is at its end.
  virtual std::optional<Plan> next() = 0;
  // What the execution of that plan did. Called once for each plan, before the next one is asked for.
  virtual void learn(const Observation& seen) = 0;
  // An execution that was not planned by this strategy, with operations.
  virtual void overhear(const Observation&) {}
  // There are more scheduling points now than before: schedules that have been seen mean something else. What
  // does not depend on schedules can be kept.
  virtual void begin_again() = 0;
  virtual Claim claim() const = 0;
  // For the next search of the same test.
  virtual const HapSet* sets() const { return nullptr; }
  // How much it has seen, in whatever it counts; for people who watch it grow.
  virtual uint64_t coverage() const { return 0; }
  // How often it has left out another way to go on, because it had seen its like or because of its bound.
  // What is left out since it is equivalent to something executed does not count.
  virtual uint64_t pruned() const { return 0; }
};

}  // namespace heddle
