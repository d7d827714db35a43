// A search of a few lines over the branches of a program finds inputs that nobody would guess.
#include <algorithm>
#include <array>
#include <csignal>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <set>

#include <gtest/gtest.h>

#include "test_program.h"

namespace heddle::concolic {
namespace {

constexpr const char* kMaze = R"(
  #include <ctype.h>
  #include <getopt.h>
  #include <stdio.h>
  #include <stdlib.h>
  #include <string.h>
  int main(int argc, char** argv) {
    static const struct option options[] = {{"width", required_argument, NULL, 'w'}, {NULL, 0, NULL, 0}};
    long lines = 0;
    long width = 0;
    for (int c; (c = getopt_long(argc, argv, "n:", options, NULL)) != -1;) {
      if (c == 'n') lines = strtol(optarg, NULL, 10);
      else if (c == 'w') width = atoi(optarg);
      else return 2;
    }
    if (lines == 123456789) abort();
    if (width == 7) puts("seven");
    int x = 1, y = 1;
    static const char maze[5][8] = {"#######", "# #   #", "#   # #", "##### #", "#######"};
    for (int c; (c = getchar()) != EOF;) {
      if (c == 'd') ++x; else if (c == 'u') --x; else if (c == 's') ++y; else if (c == 'w') --y; else break;
      if (maze[y][x] != ' ') return 3;
      if (x == 5 && y == 3) { puts("out"); return 0; }
    }
    return 1;
  })";

// Next is the branch whose other side was tried the fewest times, wherever it stands; the newest of those.
struct Found {
  ProgramInput input;
  size_t runs = 0;
};
Found search(ConcolicRunner& runner, const ProgramInput& seed, size_t most_runs,
             const std::function<bool(const ConcolicRun&)>& is_wanted) {
  PathSolver solver({});
  struct State {
    ProgramInput input;
    std::shared_ptr<PathIndex> path;
    size_t event;
    std::array<uint32_t, 3> side;
  };
  std::list<State> open;
  std::map<std::array<uint32_t, 3>, size_t> tried;
  std::set<uint64_t> known;
  Found found;
  const auto run = [&](const ProgramInput& input) {
    const Expected<ConcolicRun> result = runner.run(input);
    EXPECT_TRUE(result);
    ++found.runs;
    found.input = input;
    if (is_wanted(*result)) return true;
    const auto path = std::make_shared<PathIndex>(result->recording);
    for (const size_t event : branches_of(path->recording())) {
      const Event& branch = path->recording().events[event];
      ++tried[{branch.site, branch.caller, branch.taken}];
      if (known.insert(path->prefix_key(event)).second)
        open.push_front({input, path, event, {branch.site, branch.caller, branch.taken == 0U}});
    }
    return false;
  };
  if (run(seed)) return found;
  while (!open.empty() && found.runs < most_runs) {
    const auto next = std::min_element(open.begin(), open.end(), [&](const State& a, const State& b) {
      return tried[a.side] < tried[b.side];
    });
    const State state = std::move(*next);
    open.erase(next);
    ++tried[state.side];
    const Solution solution = solver.other_side(*state.path, state.event);
    if (solution.kind != Solution::Kind::kSolved) continue;
    if (run(with_values(state.input, solution.values, runner.options().input))) return found;
  }
  ADD_FAILURE() << "not found in " << found.runs << " runs, " << solver.counts().solver_calls
                << " solver calls";
  return found;
}

ConcolicRunner maze(uint32_t symbolic) {
  RunnerOptions options;
  options.symbolic = symbolic;
  return compile_test_program({"maze", kMaze}, std::move(options));
}

TEST(ConcolicSearch, FindsTheNumberOfAnOption) {
  ConcolicRunner runner = maze(symbolic::kArguments);
  const Found found = search(runner, {{"-a", "1"}, "", ""}, 2000,
                             [](const ConcolicRun& run) { return run.signal == SIGABRT; });
  EXPECT_NE(found.input.arguments[0].find("-n"), std::string::npos);
}

TEST(ConcolicSearch, FindsALongOptionWithItsArgument) {
  ConcolicRunner runner = maze(symbolic::kArguments);
  search(runner, {{"x"}, "", ""}, 2000,
         [](const ConcolicRun& run) { return run.out.find("seven") != std::string::npos; });
}

TEST(ConcolicSearch, FindsTheWayOutOfAMaze) {
  ConcolicRunner runner = maze(symbolic::kStandardInput);
  const Found found = search(runner, {{"x"}, "d", ""}, 2000,
                             [](const ConcolicRun& run) { return run.out.find("out") != std::string::npos; });
  EXPECT_GE(found.input.standard_input.size(), 8U);
}

// The compiler makes selects of these, which are no branches.
TEST(ConcolicSearch, FindsWhatIsChosenForTheLibrary) {
  RunnerOptions options;
  options.symbolic = symbolic::kArguments;
  ConcolicRunner runner = compile_test_program({"choices", R"(
    #include <stdio.h>
    int main(int argc, char** argv) {
      if (argc < 2 || argv[1][0] == 0) return 2;
      puts(argv[1][0] == 'z' ? "last" : "other");
      putchar(argv[1][1] == '%' ? '!' : '.');
      return 0;
    })"},
                                               std::move(options));
  search(runner, {{"x"}, "", ""}, 50,
         [](const ConcolicRun& run) { return run.out.find("last") != std::string::npos; });
  search(runner, {{"xx"}, "", ""}, 50,
         [](const ConcolicRun& run) { return run.out.find('!') != std::string::npos; });
}

}  // namespace
}  // namespace heddle::concolic
