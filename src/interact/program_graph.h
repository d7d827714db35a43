// ProgramGraph: the change sequence graph of a program of the head, with all that tells what its nodes are.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "change/statement_map.h"
#include "interact/change_graph.h"
#include "interact/changed_statements.h"
#include "interact/program_flow.h"
#include "interact/program_statements.h"
#include "program/analyses.h"
#include "support/error.h"

namespace heddle::interact {

struct ProgramGraph {
  ProgramStatements statements;
  ProgramFlow flow;
  ChangedStatements changed;
  ChangeGraph graph;
};

struct ProgramGraphOptions {
  std::vector<std::string> entries = {"main"};  // where the program, or a test of it, begins
  ChangeGraphOptions graph;
};

// An error: the program has none of the entries.
Expected<ProgramGraph> build_program_graph(const program::Program& head, const StatementMap& change,
                                           const ProgramGraphOptions& options = {});

}  // namespace heddle::interact
