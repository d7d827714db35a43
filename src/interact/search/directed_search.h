// DirectedSearch: finds inputs that execute the changes in the sequences of the change sequence graph
// (Böhme et al., FSE 2013, Algorithm 2), by concolic execution.
//
// An open state is a branch of an execution that was not taken: the path to it is its path condition, the
// graph nodes that the path came through decide its targets (targets.h). Next is the state with the least
// interprocedural distance to one of them, those first whose targets nobody has reached, now and then any;
// but kinds of states that were tried often without avail let others pass (state_queue.h). What an execution
// came through is found out by the statements that are watched in the head.
//
// The same seed and inputs give the same search, as far as the program repeats its executions and Z3 finds an
// answer in time.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "interact/concolic/compile.h"
#include "interact/concolic/concolic_run.h"
#include "interact/concolic/solver/path_solver.h"
#include "interact/program_graph.h"
#include "support/error.h"

namespace heddle::interact {

enum class Guide {
  kGraph,       // csg
  kIsolated,    // a flat set of targets: outputs, and the changes deepest in the chain of control dependence
  kUndirected,  // none: any open state, by the number of times its branch was tried
};

struct SearchOptions {
  Guide guide = Guide::kGraph;
  uint64_t seed = 1;
  double random_share = 0.1;  // of states that are chosen at random
  concolic::SolverOptions solver;
};

// The lines to watch: what tells through which nodes an execution came. `source` is the root of the project's
// tree, from which the program is compiled.
std::vector<concolic::WatchedLine> watched_lines(const ProgramGraph& graph, const std::string& source);

struct SearchedInput {
  concolic::ProgramInput input;
  concolic::ConcolicRun run;  // from next(), the nodes and events of its recording are the search's
  std::vector<StatementIndex> sequence;  // changed statements in the order of execution, loops folded
  // All nodes of the graph that it came through, in order, likewise: from the first change on.
  std::vector<StatementIndex> nodes;
  bool reached_output = false;  // after a change
  bool was_predicted = false;   // it took the branch that it was solved for
};

struct SearchCounts {
  uint64_t executions = 0;
  uint64_t predicted = 0;  // solved for, and went there
  uint64_t elsewhere = 0;  // solved for, and went elsewhere
  // Of branches whose other side their path does not allow, solved without the path.
  uint64_t without_path = 0;
  uint64_t stretched = 0;  // inputs with more of what a solution had made longer
  uint64_t open_states = 0;
  concolic::SolverCounts solver;
  uint64_t reached_edges = 0;  // of the graph
  uint64_t repeated = 0;       // further executions, of paths that had been forgotten to save memory
};

class DirectedSearch {
 public:
  // All must outlive it.
  DirectedSearch(const ProgramGraph& graph, concolic::ConcolicRunner& runner, const SearchOptions& options);
  ~DirectedSearch();

  // Inputs to begin with, before and during the search (also of others: found by fuzzing, say). Without any,
  // the search begins with empty arguments and files; parts of arguments that the limits fix need a seed.
  void add_seed(concolic::ProgramInput input);
  // Executes one more input: a seed, or the solution of the best open state. Nothing: there is none left, or
  // it is `deadline`.
  Expected<std::optional<SearchedInput>> next(std::chrono::steady_clock::time_point deadline);
  // Executes an input beside the search, which learns nothing of it: to see which sequence it executes.
  Expected<SearchedInput> execute(const concolic::ProgramInput& input);
  // A sequence of changes is known to differ: other paths of it go to the back of the queue.
  void mark_known(const std::vector<StatementIndex>& sequence);

  SearchCounts counts() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace heddle::interact
