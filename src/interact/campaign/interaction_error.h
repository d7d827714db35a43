// Change interaction errors (ALGORITHMS, section 7): which sequence of changed statements is critical, of the
// inputs that were tried: some that execute it in order fail, none that skips one of its statements does.
#pragma once

#include <cstdint>
#include <vector>

#include "interact/change_graph.h"

namespace heddle::interact {

// Inputs that were tried and are alike in all that counts here.
struct TriedInput {
  std::vector<StatementIndex> sequence;  // changed statements in the order of execution
  std::vector<StatementIndex> nodes;     // all nodes of the graph, likewise
  // The failures that it shows, by number (which golden version tells it, or how it crashes); none: it does
  // not fail.
  std::vector<uint32_t> failures;
  uint32_t inputs = 1;  // how many they are
};

struct InteractionError {
  uint32_t failure = 0;
  std::vector<StatementIndex> critical;  // at least two; none can be left out
  bool is_ordered = true;  // all failing inputs execute them in this order; else it is that of one of them
  // Where they meet: nodes that depend on all of them; interaction locations, then outputs, then changes,
  // each in the order of execution.
  std::vector<StatementIndex> locations;
  std::vector<uint32_t>
      skipping;          // by statement of `critical`: inputs tried that skip it; 0: none can, maybe
  uint32_t failing = 0;  // inputs that fail
};

// One for each failure that has a critical sequence of two or more: statements that every failing input
// executes, at least one of which some input that was tried skips, and whose influences meet in a
// node that every failing input comes through. What every failing input happens to execute as well, but meets
// the others nowhere, is not critical.
std::vector<InteractionError> find_interaction_errors(const ChangeGraph& graph,
                                                      const std::vector<TriedInput>& tried);

// The longest sequence that is part of both, in order; of several the one that begins first in `a`.
std::vector<StatementIndex> common_sequence(const std::vector<StatementIndex>& a,
                                            const std::vector<StatementIndex>& b);

}  // namespace heddle::interact
