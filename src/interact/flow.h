// Flow: where control may go, as the change sequence graph and the distances to it see a program.
//
// Points are what control passes; each may belong to a source statement. A statement has one point in a graph
// made by hand, and several where it decides something inside itself or goes on after a call: it *starts* at
// one, *ends* at another. Procedures are entered by calls and left to where they were called from; which of
// its callers a procedure returns to is known where the call is part of the path, and else it may be any
// caller that the program itself comes to.
#pragma once

#include <cstdint>
#include <vector>

namespace heddle::interact {

using StatementIndex = uint32_t;
using PointIndex = uint32_t;
using ProcedureIndex = uint32_t;
inline constexpr uint32_t kNone = ~0u;

struct Point {
  ProcedureIndex procedure = 0;
  StatementIndex statement = kNone;
  bool is_start = true;    // of its statement: control comes from elsewhere
  bool is_end = true;      // nothing of its statement follows
  bool is_output = false;  // of its statement: here it writes, or ends the program
  std::vector<PointIndex> next;
  // Of these, one is executed before control goes on to `next`;
  std::vector<ProcedureIndex> calls;
  bool may_skip_calls = false;       // or none
  std::vector<PointIndex> landings;  // where it goes on when the call throws
  bool returns = false;              // leaves the procedure
  bool throws = false;               // leaves it by an exception
};

struct Flow {
  std::vector<Point> points;
  std::vector<PointIndex> entries;  // by procedure
  ProcedureIndex root = 0;          // where the program begins
  uint32_t statements = 0;
};

// The points that call each procedure.
std::vector<std::vector<PointIndex>> callers_of(const Flow& flow);

// The points where each statement starts.
std::vector<std::vector<PointIndex>> starts_of(const Flow& flow);

}  // namespace heddle::interact
