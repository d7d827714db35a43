// ProgramFlow: the flow of a program: its functions as procedures, with points for statements.
//
// The program begins with the initialisers of its global variables, unit after unit; then one of its entries
// is called. Functions that atexit() is given are called where the program ends. A thread is a call where it
// is started, which may also be skipped: what threads do at the same time is nothing that a sequence of
// changes tells. longjmp() ends a path.
#pragma once

#include <string>
#include <vector>

#include "interact/flow.h"
#include "interact/program_statements.h"
#include "program/analyses.h"

namespace heddle::interact {

struct ProgramFlow {
  Flow flow;  // its procedures are the program's functions, and last the root
  // By point: the operation that it begins with; its block is kNone where no code is.
  std::vector<program::OpId> operations;
  // Where each block of each function begins: a branch leads there.
  std::vector<std::vector<PointIndex>> blocks;
  // By procedure, as program::Program::linkage_name() has it.
  std::vector<std::string> names;
};

ProgramFlow make_flow(const program::Program& program, const program::PointsTo& points_to,
                      const ProgramStatements& statements,
                      const std::vector<program::FunctionIndex>& entries);

}  // namespace heddle::interact
