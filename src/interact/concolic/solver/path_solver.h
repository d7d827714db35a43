// PathSolver: finds input that takes the same path as a recorded execution up to a branch, and there its
// other side.
//
// Only the constraints that matter are solved (PathSlice). What was found for the same constraints before is
// found again in a cache, whatever execution they came from; and before Z3 is asked, values that were found
// lately are tried. Z3 has a time limit. Values that people can type are preferred.
//
// A solved input is a prediction, not a promise: an address that depends on input is constant in the
// constraints, and code that is not instrumented has left no constraints. Run it, and ask takes_other_side()
// of recording.h.
#pragma once

#include <chrono>
#include <memory>
#include <optional>

#include "interact/concolic/recording.h"

namespace heddle::concolic {

struct SolverOptions {
  std::chrono::milliseconds timeout{2'000};  // of one query
  bool prefers_typical = true;               // what people type, and sizes near those that are
  // New characters at the end of arguments are InputLimits::grows_with if they may be anything.
  bool grows_evenly = false;
  InputLimits input;
  size_t most_cached = 1U << 16;
  size_t models_to_try = 8;
};

struct Solution {
  enum class Kind { kSolved, kUnsatisfiable, kUnknown } kind = Kind::kUnknown;
  Assignment values;     // of kSolved: of all places that the constraints depend on
  bool is_exact = true;  // false: only without the constraint that addresses stay what they were
  bool was_cached = false;
};

struct SolverCounts {
  uint64_t queries = 0;
  uint64_t solver_calls = 0;  // of Z3
  uint64_t cache_hits = 0;
  uint64_t model_hits = 0;  // solved by values that were there
  uint64_t unknown = 0;
  uint64_t constraints = 0;  // of all queries, after slicing
  std::chrono::nanoseconds solver_time{};
};

// What a query needs to know of a recording: made once, used for all its branches.
class PathIndex {
 public:
  explicit PathIndex(Recording recording);
  PathIndex(PathIndex&&) noexcept;
  PathIndex& operator=(PathIndex&&) noexcept;
  ~PathIndex();

  const Recording& recording() const;
  // The branches before the event that its other side has inputs in common with.
  std::vector<size_t> constraints_for(size_t event) const;
  // What a state of the search is: equal for equal prefixes and branches of other executions.
  uint64_t prefix_key(size_t event) const;
  // The same of the path itself: the prefix_key() of an execution that this one is the other side of.
  uint64_t own_key(size_t event) const;

 private:
  friend class PathSolver;
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

class PathSolver {
 public:
  explicit PathSolver(SolverOptions options);
  PathSolver(PathSolver&&) noexcept;
  ~PathSolver();

  // `event` must be a branch (is_branch) of the recording.
  Solution other_side(const PathIndex& path, size_t event);
  // Input for which the branch alone would go to its other side, if the program came there with the same
  // expressions: other branches on the same input may lead elsewhere ("optimistic solving", Yun et al.,
  // "QSYM", USENIX Security 2018). For branches whose other side the path does not allow.
  Solution condition_alone(const PathIndex& path, size_t event);

  const SolverCounts& counts() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace heddle::concolic
