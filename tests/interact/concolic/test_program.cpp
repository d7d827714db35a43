#include "test_program.h"

#include <cstdlib>
#include <fstream>

#include <gtest/gtest.h>

#include "interact/concolic/solver/evaluate.h"

namespace heddle::concolic {

std::filesystem::path temporary_folder(const std::string& name) {
  const char* const parent = std::getenv("TEST_TMPDIR");
  const std::filesystem::path folder = std::filesystem::path(parent == nullptr ? "." : parent) / name;
  std::filesystem::create_directories(folder);
  return std::filesystem::absolute(folder);
}

ConcolicRunner compile_test_program(const TestProgram& program, RunnerOptions options) {
  const std::filesystem::path folder = temporary_folder(program.name);
  const std::filesystem::path source = folder / (program.is_cxx ? "program.cpp" : "program.c");
  std::ofstream(source) << program.source;
  CompileRequest request;
  const auto language = program.is_cxx ? program::UnitLanguage::kCxx : program::UnitLanguage::kC;
  request.units.push_back({folder, source, language, {}});
  if (!program.second_unit.empty()) {
    const std::filesystem::path second = folder / (program.is_cxx ? "second.cpp" : "second.c");
    std::ofstream(second) << program.second_unit;
    request.units.push_back({folder, second, language, {}});
  }
  request.folder = folder;
  request.output = folder / "program";
  request.watched = program.watched;
  request.is_fuzz_target = program.is_fuzz_target;
  for (WatchedLine& watched : request.watched) watched.file = source.string();
  const Expected<void> compiled = compile_for_recording(request);
  if (!compiled) {
    ADD_FAILURE() << compiled.error().message;
    std::abort();
  }
  options.program = request.output;
  options.folder = folder / "run";
  Expected<ConcolicRunner> runner = ConcolicRunner::create(std::move(options));
  if (!runner) {
    ADD_FAILURE() << runner.error().message;
    std::abort();
  }
  return std::move(*runner);
}

void expect_right_values(const ConcolicRun& run) {
  EXPECT_EQ(run.damage, "");
  EXPECT_EQ(run.recording.mismatches, 0U);
  const Assignment none;
  Evaluator evaluator(run.recording, none);
  for (uint32_t handle = 1; handle < run.recording.nodes.size(); ++handle)
    ASSERT_EQ(evaluator.value(handle), run.recording.nodes[handle].value) << "node " << handle;
  for (const Event& event : run.recording.events) {
    if (!is_branch(event)) continue;
    ASSERT_EQ(evaluator.value(event.condition), event.taken);
  }
}

size_t expect_right_predictions(ConcolicRunner& runner, PathSolver& solver, const ProgramInput& input) {
  const Expected<ConcolicRun> run = runner.run(input);
  EXPECT_TRUE(run);
  EXPECT_TRUE(run->recording.reached_main);
  expect_right_values(*run);
  const PathIndex path(run->recording);
  size_t solved = 0;
  for (const size_t event : branches_of(path.recording())) {
    const Solution solution = solver.other_side(path, event);
    if (solution.kind != Solution::Kind::kSolved || !solution.is_exact) continue;
    ++solved;
    const ProgramInput changed = with_values(input, solution.values, runner.options().input);
    const Expected<ConcolicRun> other = runner.run(changed);
    EXPECT_TRUE(other);
    // The access itself comes first.
    if (path.recording().events[event].kind == SiteKind::kBounds && other->signal != 0) continue;
    const Site& site = runner.program_site(path.recording().events[event]);
    EXPECT_TRUE(takes_other_side(path.recording(), event, other->recording))
        << "event " << event << " at line " << site.place.line << ", kind "
        << static_cast<int>(path.recording().events[event].kind);
  }
  return solved;
}

}  // namespace heddle::concolic
