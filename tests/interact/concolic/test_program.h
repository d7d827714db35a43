// Programs that tests write, compile for recording, and run.
#pragma once

#include <string>
#include <vector>

#include "interact/concolic/compile.h"
#include "interact/concolic/concolic_run.h"
#include "interact/concolic/solver/path_solver.h"

namespace heddle::concolic {

struct TestProgram {
  std::string name;  // also of its folder
  std::string source;
  bool is_cxx = false;
  std::vector<WatchedLine> watched;  // the file's name is filled in
  bool is_fuzz_target = false;
  std::string second_unit;
};

std::filesystem::path temporary_folder(const std::string& name);

// Ends the test if it cannot be compiled.
ConcolicRunner compile_test_program(const TestProgram& program, RunnerOptions options = {});

// Checks that the expressions of all events have the values of the execution, for an independent evaluation
// too.
void expect_right_values(const ConcolicRun& run);

// Solves the other side of each branch of the input's path, and checks that the solved inputs take it.
// Returns how many were solved.
size_t expect_right_predictions(ConcolicRunner& runner, PathSolver& solver, const ProgramInput& input);

}  // namespace heddle::concolic
