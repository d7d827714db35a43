// CallGraph: which functions of the program an operation may call.
#pragma once

#include <vector>

#include "program/program.h"

namespace heddle::program {

// An operation of the program: the op-th of a block.
struct OpId {
  FunctionIndex function = kNone;
  uint32_t block = 0;
  uint32_t op = 0;

  auto operator<=>(const OpId&) const = default;
};

class CallGraph {
 public:
  struct Site {
    OpId call;
    std::vector<FunctionIndex> callees;  // sorted
  };

  CallGraph() = default;
  // In the order of their calls. `functions` is how many the program has.
  CallGraph(std::vector<Site> sites, size_t functions);

  const std::vector<Site>& sites() const { return sites_; }
  const std::vector<FunctionIndex>& callees(const OpId& call) const;
  const std::vector<OpId>& callers(FunctionIndex function) const { return callers_[function]; }

 private:
  std::vector<Site> sites_;      // that have callees
  std::vector<uint32_t> first_;  // of each function, in sites_; one more at the end
  std::vector<std::vector<OpId>> callers_;
};

}  // namespace heddle::program
