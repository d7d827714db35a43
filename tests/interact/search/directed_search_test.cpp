// Searches of whole programs, from nothing.
#include "interact/search/directed_search.h"

#include <algorithm>
#include <csignal>
#include <cstdio>

#include <gtest/gtest.h>

#include "searched_program.h"
#include "tools.h"

namespace heddle::interact {
namespace {

namespace symbolic = concolic::symbolic;
using concolic::ProgramInput;

concolic::RunnerOptions from(uint32_t what) {
  concolic::RunnerOptions options;
  options.symbolic = what;
  options.input.most_arguments = 4;
  options.input.longest_argument = 16;
  options.input.longest_standard_input = 8;
  return options;
}

bool aborts(const SearchedInput& input) {
  return input.run.signal == SIGABRT;
}

SearchOptions guided(Guide guide, uint64_t seed = 1) {
  SearchOptions options;
  options.guide = guide;
  options.seed = seed;
  return options;
}

// ALGORITHMS, section 7.
const char kWorkedExample[] = R"(#include <assert.h>
#include <stdbool.h>
#include <stdio.h>
int main(void) {
  int v = 0;
  int c = 0;
  int init = 1;
  int at = getchar();
  bool lhs = false;  // 1
  while (true) {
    if (at >= '0' && at <= '9') {  // 3
      v = at - '0';  // 4
      lhs = true;  // 5
    } else if (at == '-') {  // 6
      c = lhs;  // 7
      init = c ? v : 1;  // 8
    } else {  // 9
      assert(init != 0);  // 10
      break;  // 11
    }
    at = getchar();  // 13
  }
  return 0;  // end
}
)";

class WorkedExample : public testing::Test {
 protected:
  WorkedExample()
      : searched_("worked", "main.c", kWorkedExample,
                  {{"bool lhs = false;  // 1", ""}, {"lhs = true;", ""}, {"c = lhs;", "c = v;"}},
                  from(symbolic::kStandardInput)) {}
  SearchedProgram searched_;
};

TEST_F(WorkedExample, TheWitnessIsFoundFromNothing) {
  for (const char* seed : {"", "0"}) {
    const auto search = searched_.search();
    search->add_seed({{}, seed, ""});
    const SearchResult result = search_until(*search, 100, aborts);
    ASSERT_TRUE(result.found);
    EXPECT_TRUE(searched_.names(result.found->sequence).ends_with("5 7"));
    EXPECT_TRUE(searched_.names(result.found->nodes).ends_with("5 7 8 10"));
    EXPECT_TRUE(result.found->reached_output);
    EXPECT_NE(result.found->input.standard_input.find("0-"), std::string::npos);
    std::printf("worked example from \"%s\": %zu executions\n", seed, result.inputs.size());
  }
}

TEST_F(WorkedExample, SequencesAreInTheOrderOfExecution) {
  const auto search = searched_.search();
  const auto executed = [&](const std::string& text) {
    const Expected<SearchedInput> searched = search->execute({{}, text, ""});
    EXPECT_TRUE(searched);
    return searched_.names(searched->sequence) + "; " + searched_.names(searched->nodes);
  };
  EXPECT_EQ(executed(""), "1; 1 10 end");
  EXPECT_EQ(executed("0-"), "1 5 7; 1 5 7 8 10");
  EXPECT_EQ(executed("-3"), "1 7 5; 1 7 8 5 10 end");
  EXPECT_EQ(executed("3333"), "1 5; 1 5 10 end");
  EXPECT_EQ(executed("3-3-3-3-"), "1 5 7 5 7; 1 5 7 8 5 7 8 10 end");
  EXPECT_EQ(search->counts().executions, 0u);
}

TEST_F(WorkedExample, AllOfTheGraphIsReached) {
  const auto search = searched_.search();
  search_until(*search, 200, [&](const SearchedInput&) {
    return search->counts().reached_edges == searched_.graph().graph.edges.size();
  });
  EXPECT_EQ(search->counts().reached_edges, searched_.graph().graph.edges.size());
}

TEST_F(WorkedExample, TheSameSeedGivesTheSameSearch) {
  const auto inputs = [&](uint64_t seed) {
    SearchOptions options = guided(Guide::kGraph, seed);
    options.random_share = 0.3;
    const auto search = searched_.search(options);
    return search_until(*search, 40, [](const SearchedInput&) { return false; }).inputs;
  };
  const std::vector<ProgramInput> first = inputs(1);
  EXPECT_EQ(first.size(), 40u);
  EXPECT_EQ(first, inputs(1));
  EXPECT_NE(first, inputs(2));
}

TEST_F(WorkedExample, NothingIsExecutedTwiceAndPredictionsComeTrue) {
  const auto search = searched_.search();
  const SearchResult result = search_until(*search, 150, [](const SearchedInput&) { return false; });
  std::vector<ProgramInput> inputs = result.inputs;
  std::sort(inputs.begin(), inputs.end());
  EXPECT_EQ(std::adjacent_find(inputs.begin(), inputs.end()), inputs.end());
  const SearchCounts counts = search->counts();
  EXPECT_EQ(counts.executions, inputs.size());
  EXPECT_GT(counts.predicted, 100u);
  EXPECT_EQ(counts.elsewhere, 0u);
}

// Each path of "1 5 7" that follows is another way to show what is known.
TEST_F(WorkedExample, KnownSequencesGoToTheBack) {
  const auto share_of_known = [&](bool is_marked) {
    SearchOptions options = guided(Guide::kGraph);
    options.random_share = 0;
    const auto search = searched_.search(options);
    size_t after = 0;
    size_t known = 0;
    search_until(*search, 80, [&](const SearchedInput& input) {
      const bool is_known = searched_.names(input.sequence) == "1 5 7";
      if (is_known && known == 0 && is_marked) search->mark_known(input.sequence);
      known += is_known ? 1 : 0;
      after += known > 0 ? 1 : 0;
      return false;
    });
    EXPECT_GT(known, 0u);
    return static_cast<double>(known) / static_cast<double>(after);
  };
  EXPECT_LT(share_of_known(true), share_of_known(false));
}

const char kOptions[] = R"(#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(int argc, char** argv) {
  static const struct option options[] = {{"count", required_argument, NULL, 'c'},
                                          {"width", required_argument, NULL, 'w'},
                                          {NULL, 0, NULL, 0}};
  long count = 0;  // START
  int width = 0;
  for (int o; (o = getopt_long(argc, argv, "n:", options, NULL)) != -1;) {
    if (o == 'n') count = strtol(optarg, NULL, 10);
    else if (o == 'w') width = atoi(optarg);
    else if (o == 'c') count = -1;
    else return 2;
  }
  if (count > 123456789)
    puts("threshold");  // THRESHOLD
  if (width == 4711)
    puts("width");  // WIDTH
  if (argc > 2 && strcmp(argv[1], "-q") != 0 && strcmp(argv[2], "keyword") == 0)
    puts("token");  // TOKEN
  return 0;
}
)";

class Options : public testing::Test {
 protected:
  Options()
      : searched_("options", "main.c", kOptions,
                  {{"\"threshold\"", "\"1\""}, {"\"width\"", "\"2\""}, {"\"token\"", "\"3\""}},
                  from(symbolic::kArguments | symbolic::kArgumentCount)) {}

  void expect_found(const std::string& word) {
    const auto search = searched_.search();
    const SearchResult result = search_until(*search, 3000, [&](const SearchedInput& input) {
      return input.run.out.find(word + "\n") != std::string::npos;
    });
    const SearchCounts counts = search->counts();
    std::printf("%s: %zu executions, %zu solver calls, %s\n", word.c_str(), result.inputs.size(),
                static_cast<size_t>(counts.solver.solver_calls), described(result.inputs.back()).c_str());
    EXPECT_TRUE(result.found);
  }
  SearchedProgram searched_;
};

TEST_F(Options, ANumberAboveAHundredMillionIsFound) {
  expect_found("threshold");
}
TEST_F(Options, ALongOptionWithItsArgumentIsFound) {
  expect_found("width");
}
TEST_F(Options, AKeywordAsSecondArgumentIsFound) {
  expect_found("token");
}

TEST(DirectedSearch, WhatIsFixedStaysSo) {
  concolic::RunnerOptions options = from(symbolic::kArguments);
  options.input.has_fixed_count = true;
  options.input.arguments = {{2, 2}, {0, 9}};
  SearchedProgram searched("fixed", "main.c", kOptions, {{"\"threshold\"", "\"1\""}}, options);
  {
    const auto search = searched.search();
    const auto next = search->next(std::chrono::steady_clock::now() + std::chrono::minutes(1));
    ASSERT_FALSE(next);
    EXPECT_NE(next.error().message.find("fixed"), std::string::npos);
  }
  const auto search = searched.search();
  search->add_seed({{"-n", ""}, "", ""});
  const SearchResult result = search_until(*search, 500, [](const SearchedInput& input) {
    return input.run.out.find("threshold") != std::string::npos;
  });
  EXPECT_TRUE(result.found);
  for (const ProgramInput& input : result.inputs) {
    ASSERT_EQ(input.arguments.size(), 2u);
    EXPECT_EQ(input.arguments[0], "-n");
    EXPECT_LE(input.arguments[1].size(), 9u);
  }
}

// The changes are far behind branches that lead nowhere.
const char kDecoys[] = R"(#include <stdio.h>
#include <stdlib.h>
static int mode, noise;
static void decoy(int c) {
  if (c == 'b') noise += 1;
  if (c > 'm') noise += 2;
  if (c % 5 == 3) noise += 3;
  if (c % 7 == 2) noise *= 2;
  if (noise % 3 == 1 && c != 'x') noise -= c;
}
int main(int argc, char** argv) {
  for (int i = 1; i < argc; ++i)
    for (const char* c = argv[i]; *c; ++c) decoy(*c);
  for (int c; (c = getchar()) != EOF;) {
    decoy(c);
    if (c == '{' && mode == 0) mode = 1;  // ONE
    if (c == '=' && mode == 1) mode = 2;  // TWO
    if (c == '}' && mode == 2) mode = 3;  // THREE
  }
  if (mode == 3) abort();  // END
  printf("%d\n", noise);
  return 0;
}
)";

TEST(DirectedSearch, TheGraphLeadsPastBranchesThatMatterNot) {
  SearchedProgram searched(
      "decoys", "main.c", kDecoys,
      {{"mode = 1;", "mode = 4;"}, {"mode = 2;", "mode = 5;"}, {"mode = 3;", "mode = 6;"}},
      from(symbolic::kArguments | symbolic::kArgumentCount | symbolic::kStandardInput));
  const auto executions = [&](Guide guide) {
    const auto search = searched.search(guided(guide));
    const size_t most = 300;
    const SearchResult result = search_until(*search, most, aborts);
    return result.found ? result.inputs.size() : most;
  };
  const size_t graph = executions(Guide::kGraph);
  const size_t isolated = executions(Guide::kIsolated);
  const size_t undirected = executions(Guide::kUndirected);
  std::printf("decoys: %zu executions with the graph, %zu in isolation, %zu undirected\n", graph, isolated,
              undirected);
  EXPECT_LT(5 * graph, undirected);
  EXPECT_LT(graph, 60u);
}

// It looks for the end of its arguments in argv alone.
TEST(DirectedSearch, ArgumentsThatNobodyCountsAreFound) {
  SearchedProgram searched("calculator", "main.c", kCalculator, {{"value /= by", "value %= by"}},
                           from(symbolic::kArguments | symbolic::kArgumentCount));
  const auto search = searched.search();
  const SearchResult result = search_until(*search, 1000, [](const SearchedInput& input) {
    return !input.sequence.empty() && input.run.exit_code != 2;
  });
  ASSERT_TRUE(result.found);
  EXPECT_NE(std::find(result.found->input.arguments.begin(), result.found->input.arguments.end(), "/"),
            result.found->input.arguments.end());
  std::printf("calculator: %zu executions, %s\n", result.inputs.size(),
              described(result.found->input).c_str());
}

TEST(DirectedSearch, AnEndedSearchSaysSo) {
  SearchedProgram searched("small", "main.c", R"(#include <stdio.h>
int main(int argc, char** argv) {
  if (argv[1][0] == 'a') puts("A");  // A
  return 0;
}
)",
                           {{"\"A\"", "\"B\""}}, [] {
                             concolic::RunnerOptions options = from(symbolic::kArguments);
                             options.input.has_fixed_count = true;
                             options.input.arguments = {{0, 1}};
                             return options;
                           }());
  const auto search = searched.search();
  const SearchResult result = search_until(*search, 100, [](const SearchedInput&) { return false; });
  EXPECT_EQ(result.inputs.size(), 3u);  // "", "0", "a"
  EXPECT_EQ(search->counts().open_states, 0u);
}

// Two changes on a line, and one that is skipped there.
TEST(DirectedSearch, StatementsOfOneLineAreToldApart) {
  SearchedProgram searched("lines", "main.c", R"(#include <stdio.h>
int main(int argc, char** argv) {
  int a = argc, b = 0;
  if (argv[1][0] == 'x') a = 5; b = 6;
  printf("%d %d\n", a, b);
  return 0;
}
)",
                           {{"a = 5; b = 6;", "a = 7; b = 8;"}}, from(symbolic::kArguments));
  const auto search = searched.search();
  const auto sequence = [&](const std::string& text) {
    std::string texts;
    const Expected<SearchedInput> executed = search->execute({{text}, "", ""});
    EXPECT_TRUE(executed);
    for (const StatementIndex s : executed->sequence) texts += searched.graph().statements[s].text + " ";
    return texts;
  };
  EXPECT_NE(sequence("x").find("a = 5"), std::string::npos);
  EXPECT_NE(sequence("x").find("b = 6"), std::string::npos);
  EXPECT_EQ(sequence("y").find("a = 5"), std::string::npos);
  EXPECT_NE(sequence("y").find("b = 6"), std::string::npos);
}

}  // namespace
}  // namespace heddle::interact
