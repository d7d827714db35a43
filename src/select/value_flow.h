// ValueFlow: what a change's values decide (rule 5): a forward slice through values, local variables,
// branches, calls and returns.
//
// It is not followed through memory that outlives a call. Who reads what the slice has written is a pair of
// the matcher's anyway; and what such a read then leads to, in a test that has not been there before, no
// history can tell.
#pragma once

#include <set>
#include <vector>

#include "program/call_graph.h"
#include "select/shared_variable.h"

namespace heddle::select {

struct ValueSlice {
  std::set<program::NodeId> nodes;  // `from` too
  std::set<program::NodeId> moved;  // those that may access other memory than before
};

// An argument of a call, by its number.
struct Argument {
  program::OpId call;
  uint32_t number = 0;
  auto operator<=>(const Argument&) const = default;
};

// `arguments`: constants that are other ones. All others of a seed are as they were, as far as can be told.
ValueSlice value_slice(const program::Program& program, const program::CallGraph& calls,
                       const std::vector<program::NodeId>& from, const std::vector<Argument>& arguments = {});

}  // namespace heddle::select
