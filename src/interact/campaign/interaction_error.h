// Change interaction errors (ALGORITHMS, section 7): which sequence of changed statements is critical, of the
// inputs that were tried: some that execute it in order fail, none that skips one of its statements does.
#pragma once

#include <cstdint>
#include <vector>

#include "interact/program_graph.h"

namespace heddle::interact {

// One input that was tried.
struct TriedInput {
  std::vector<StatementIndex> sequence;  // changed statements in the order of execution
  // The failure that it shows, by number (which golden version tells it, or how it crashes); none: it does
  // not fail.
  std::vector<uint32_t> failures;
};

struct InteractionError {
  uint32_t failure = 0;
  std::vector<StatementIndex> critical;   // at least two; none can be left out
  std::vector<StatementIndex> locations;  // where they meet: important nodes that depend on all of them
  std::vector<uint32_t> skipping;         // by statement of `critical`: inputs tried that skip it
  uint32_t failing = 0;                   // inputs that fail
};

// One for each failure that has a critical sequence of two or more: statements that every failing input
// executes in this order, and each of which some input that was tried skips.
std::vector<InteractionError> find_interaction_errors(const ProgramGraph& graph,
                                                      const std::vector<TriedInput>& tried);

}  // namespace heddle::interact
