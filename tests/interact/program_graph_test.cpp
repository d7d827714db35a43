#include "interact/program_graph.h"

#include <gtest/gtest.h>

#include "changed_program.h"

namespace heddle::interact {
namespace {

using Names = std::set<std::string>;
using Kind = ChangeNode::Kind;

// Replaced in the first version: each pair is what the second has, and what the first had.
std::string with(std::string text, const std::vector<std::pair<std::string, std::string>>& replacements) {
  for (const auto& [now, before] : replacements) {
    const size_t at = text.find(now);
    if (at == std::string::npos) throw std::runtime_error("not there: " + now);
    text.replace(at, now.size(), before);
  }
  return text;
}

// The example of ALGORITHMS, section 7, as a program.
TEST(ProgramGraph, TheWorkedExampleAsAProgramHasTheGraphOfThePaper) {
  const std::string after = R"(#include <assert.h>
#include <stdbool.h>
extern int next_character(void);
extern int read_number(int first);
int main(void) {
  int v = 0;
  int c = 0;
  int init = 1;
  int at = next_character();
  bool lhs = false;  // 1
  while (true) {
    if (at >= '0' && at <= '9') {  // 3
      v = read_number(at);  // 4
      lhs = true;  // 5
    } else if (at == '-') {  // 6
      c = lhs;  // 7
      init = c ? v : 1;  // 8
    } else if (at == '\n') {  // 9
      assert(init != 0);  // 10
      break;  // 11
    }
    at = next_character();  // 13
  }
  return 0;  // end
}
)";
  const ChangedProgram program(
      with(after, {{"bool lhs = false;  // 1", ""}, {"lhs = true;", ""}, {"c = lhs;", "c = v;"}}), after);
  EXPECT_EQ(program.nodes(Kind::kInteraction), Names{"8"});
  EXPECT_EQ(program.nodes(Kind::kChange), (Names{"1", "5", "7"}));
  EXPECT_EQ(program.edges(),
            (Names{"1>5", "1>7", "1>10", "5>5", "5>7", "5>10", "1>8", "5>8", "7>8", "8>5", "8>7", "8>10"}));
  EXPECT_EQ(program.starts(), Names{"1"});
}

// The paper, section 2 (figures 2 to 4): allocation and access are guarded by changes, and a removal.
TEST(ProgramGraph, InTheCutExampleChangesMeetAtTheMemoryAccess) {
  const std::string after = R"(#include <stdio.h>
#include <stdlib.h>
static size_t max_range_endpoint;
static size_t eol_range_start;
static char* printable_field;
static const char* output_delimiter;
static int is_printable_field(size_t i) { return (printable_field[i / 8] >> (i % 8)) & 1; }
static void mark_range_start(size_t i) {
  printable_field[i / 8] |= 1 << (i % 8);  // ACCESS
}
int main(int argc, char** argv) {
  max_range_endpoint = strtoul(argv[1], NULL, 10);
  eol_range_start = strtoul(argv[2], NULL, 10);
  output_delimiter = argv[3];
  if (max_range_endpoint)  // GUARD
    printable_field = malloc(max_range_endpoint / 8 + 1);  // ALLOCATE
  if (output_delimiter && max_range_endpoint && !is_printable_field(eol_range_start))  // ASK
    mark_range_start(eol_range_start);
  puts("done");  // OUT
}
)";
  const ChangedProgram program(
      with(after, {{"if (max_range_endpoint)  // GUARD",
                    "if (max_range_endpoint < eol_range_start) max_range_endpoint = eol_range_start;"},
                   {"&& max_range_endpoint ", ""}}),
      after);
  EXPECT_EQ(program.nodes(Kind::kInteraction), Names{"ACCESS"});
  for (const char* edge :
       {"GUARD>ALLOCATE", "ALLOCATE>ASK", "GUARD>ASK", "GUARD>ACCESS", "ASK>ACCESS", "ACCESS>OUT"})
    EXPECT_TRUE(program.edges().contains(edge)) << edge;
  EXPECT_EQ(program.starts(), Names{"GUARD"});
}

TEST(ProgramGraph, ASingleFunctionWithALocationBetweenChangesAndOutput) {
  const std::string after = R"(#include <stdio.h>
int main(int argc, char** argv) {
  int a = argc + 1;  // A
  int b = argc * 2;  // B
  int sum = a + b;  // SUM
  printf("%d\n", sum);  // OUT
  return 0;  // END
}
)";
  const ChangedProgram program(with(after, {{"argc + 1", "argc"}, {"argc * 2", "argc"}}), after);
  EXPECT_EQ(program.edges(), (Names{"A>B", "A>SUM", "B>SUM", "SUM>OUT"}));
  EXPECT_EQ(program.nodes(Kind::kOutput), (Names{"OUT", "END"}));
  const ChangeNode& output = program.graph().graph.nodes[program.graph().graph.node_of(program.named("OUT"))];
  EXPECT_TRUE(output.is_location()) << "outputs know what meets in them, too";
}

TEST(ProgramGraph, ALoopLeadsAChangeBackToItself) {
  const std::string after = R"(#include <stdio.h>
int main(int argc, char** argv) {
  int sum = 0;
  for (int i = 0; i < argc; ++i) {
    sum += 2 * i;  // ADD
  }
  printf("%d\n", sum);  // OUT
}
)";
  const ChangedProgram program(with(after, {{"2 * i", "i"}}), after);
  EXPECT_EQ(program.edges(), (Names{"ADD>ADD", "ADD>OUT"}));
}

TEST(ProgramGraph, AStatementThatIsAWholeLoopLeadsBackToItself) {
  const std::string after = R"(#include <stdio.h>
int main(int argc, char** argv) {
  while ((argc = argc / 2 - 1) > 0 && argv);  // LOOP
  puts("done");  // OUT
}
)";
  const ChangedProgram program(with(after, {{"/ 2 - 1", "/ 2"}}), after);
  EXPECT_EQ(program.edges(), (Names{"LOOP>LOOP", "LOOP>OUT"}));
}

TEST(ProgramGraph, AChainOfCallsIsFollowedDownAndBackUp) {
  const std::string after = R"(#include <stdlib.h>
#include <stdio.h>
static int inner(int x) {
  int y = x + 1;  // INNER
  return y;
}
static int outer(int x) { return inner(x) * 2; }
int main(int argc, char** argv) {
  int n = atoi(argv[1]) + 1;  // FIRST
  int m = outer(n);  // CALL
  m = m - 1;  // LAST
  printf("%d\n", m);  // OUT
  return 0;
}
)";
  const ChangedProgram program(with(after, {{"x + 1", "x"}, {"+ 1;  // FIRST", ";"}, {"m - 1", "m"}}), after);
  EXPECT_EQ(program.starts(), Names{"FIRST"});
  const Names edges = program.edges();
  EXPECT_TRUE(edges.contains("FIRST>INNER")) << "into the callee's callee";
  EXPECT_TRUE(edges.contains("LAST>OUT"));
  EXPECT_FALSE(edges.contains("FIRST>LAST")) << "the way goes through the other change";
  EXPECT_FALSE(edges.contains("INNER>INNER"));
}

TEST(ProgramGraph, RecursionComesBackToTheChange) {
  const std::string after = R"(#include <stdio.h>
static int depth(int n) {
  if (n <= 0) return 0;
  int rest = n - 2;  // STEP
  return 1 + depth(rest);
}
int main(int argc, char** argv) {
  printf("%d\n", depth(argc));  // OUT
  return 0;
}
)";
  const ChangedProgram program(with(after, {{"n - 2", "n - 1"}}), after);
  EXPECT_EQ(program.edges(), (Names{"STEP>STEP", "STEP>OUT"}));
}

TEST(ProgramGraph, CasesOfASwitchFollowEachOtherOnlyByFallingThrough) {
  const std::string after = R"(#include <stdio.h>
int main(int argc, char** argv) {
  int x = 0;
  switch (argc) {
    case 1:
      x = 5;  // ONE
      break;
    case 2:
      x = 6;  // TWO
    case 3:
      x += 7;  // THREE
  }
  printf("%d\n", x);  // OUT
}
)";
  const ChangedProgram program(with(after, {{"x = 5", "x = 1"}, {"x = 6", "x = 2"}, {"x += 7", "x += 3"}}),
                               after);
  EXPECT_EQ(program.edges(), (Names{"ONE>OUT", "TWO>THREE", "THREE>OUT"}));
  EXPECT_EQ(program.starts(), (Names{"ONE", "TWO", "THREE"}));
}

TEST(ProgramGraph, ACalleesReturnValueMeetsAChangeOfTheCaller) {
  const std::string after = R"(#include <stdio.h>
static int scale(int x) {
  int factor = 3;  // FACTOR
  return x * factor;
}
int main(int argc, char** argv) {
  int offset = argc + 7;  // OFFSET
  int scaled = scale(argc);
  int sum = scaled + offset;  // SUM
  printf("%d\n", sum);  // OUT
  return 0;
}
)";
  const ChangedProgram program(with(after, {{"factor = 3", "factor = 2"}, {"argc + 7", "argc"}}), after);
  EXPECT_EQ(program.nodes(Kind::kInteraction), Names{"SUM"});
  EXPECT_EQ(program.edges(), (Names{"OFFSET>FACTOR", "OFFSET>SUM", "FACTOR>SUM", "SUM>OUT"}));
}

TEST(ProgramGraph, ALocationIsReachedWhenTheCallInItHasReturned) {
  const std::string after = R"(#include <stdio.h>
static int scale(int x) {
  int factor = 3;  // FACTOR
  return x * factor;
}
int main(int argc, char** argv) {
  int offset = argc + 7;  // OFFSET
  int sum = scale(argc) + offset;  // SUM
  printf("%d\n", sum);  // OUT
  return 0;
}
)";
  const ChangedProgram program(with(after, {{"factor = 3", "factor = 2"}, {"argc + 7", "argc"}}), after);
  // Dependences are between statements: what the call is given and what is added to it are not told apart,
  // and so the callee has a location as well.
  for (const char* edge : {"OFFSET>FACTOR", "OFFSET>SUM", "FACTOR>SUM", "SUM>OUT"})
    EXPECT_TRUE(program.edges().contains(edge)) << edge;
  EXPECT_FALSE(program.edges().contains("SUM>FACTOR"));
}

TEST(ProgramGraph, AGlobalAndAPointerCarryChangesAsWell) {
  const std::string after = R"(#include <stdio.h>
int limit;
static void set_limit(int n) {
  limit = n + 1;  // LIMIT
}
static void fill(int* to, int n) {
  *to = n * 2;  // FILL
}
int main(int argc, char** argv) {
  int filled = 0;
  set_limit(argc);
  fill(&filled, argc);
  int over = filled - limit;  // OVER
  if (over > 0) puts("over");  // OUT
  return 0;  // END
}
)";
  const ChangedProgram program(with(after, {{"n + 1", "n"}, {"n * 2", "n"}}), after);
  EXPECT_EQ(program.nodes(Kind::kInteraction), Names{"OVER"});
  EXPECT_EQ(program.edges(), (Names{"LIMIT>FILL", "LIMIT>OVER", "FILL>OVER", "OVER>OUT", "OVER>END"}));
}

TEST(ProgramGraph, NothingDependsOnAChangeThatComesOnlyLater) {
  const std::string after = R"(#include <stdio.h>
int first;
int second;
static int sum(void) {
  return first + second;  // READ
}
static void set_first(int n) {
  first = n + 1;  // FIRST
}
static void set_second(int n) {
  second = n + 2;  // SECOND
}
int main(int argc, char** argv) {
  set_first(argc);
  int early = sum();  // EARLY
  set_second(argc);
  printf("%d\n", early);  // OUT
}
)";
  const ChangedProgram program(with(after, {{"n + 1", "n"}, {"n + 2", "n"}}), after);
  EXPECT_EQ(program.nodes(Kind::kInteraction), Names{});
  EXPECT_EQ(program.edges(), (Names{"FIRST>SECOND", "SECOND>OUT"}));
}

TEST(ProgramGraph, NeighboursStandForWhatWasRemoved) {
  const std::string after = R"(#include <stdio.h>
int main(int argc, char** argv) {
  int n = argc;
  if (argc > 2) {  // PARENT
    n += 5;  // NEXT
  }
  printf("%d\n", n);  // OUT
  return 0;
}
)";
  const ChangedProgram program(with(after, {{"n += 5", "n = 0;\n    n += 5"}}), after);
  EXPECT_EQ(program.nodes(Kind::kChange), (Names{"PARENT", "NEXT"}));
  EXPECT_EQ(program.edges(), (Names{"PARENT>NEXT", "PARENT>OUT", "NEXT>OUT"}));
  for (const ChangedStatement& change : program.graph().changed.all) {
    EXPECT_EQ(change.kind, ChangedStatement::Kind::kBesideRemoved);
    EXPECT_EQ(change.because, "stands for the removed `n = 0;` (main.c:5)");
  }
}

TEST(ProgramGraph, ARemovedFunctionIsSaidToBeLeftOut) {
  const std::string after = R"(#include <stdio.h>
int main(void) {
  puts("hello");
  return 0;
}
)";
  const ChangedProgram program("static int unused(int x) {\n  return x + 1;\n}\n" + after, after);
  EXPECT_TRUE(program.graph().graph.nodes.empty() || program.nodes(Kind::kChange).empty());
  ASSERT_EQ(program.graph().changed.left_out.size(), 1u);
  EXPECT_EQ(program.graph().changed.left_out.front(),
            "`return x + 1;` (main.c:2) was removed, and nothing beside it is left");
}

TEST(ProgramGraph, DeadCodeHasNoEdgesAndInfluencesNothing) {
  const std::string after = R"(#include <stdio.h>
int state;
void never_called(void) {
  state = 4;  // DEAD
}
int main(int argc, char** argv) {
  state = argc + 1;  // LIVE
  int copy = state;
  printf("%d\n", copy);  // OUT
  return 0;
}
)";
  const ChangedProgram program(with(after, {{"state = 4", "state = 3"}, {"argc + 1", "argc"}}), after);
  EXPECT_EQ(program.edges(), Names{"LIVE>OUT"});
  EXPECT_FALSE(program.graph().graph.nodes[program.graph().graph.node_of(program.named("DEAD"))].is_reached);
}

TEST(ProgramGraph, ChangesOfTwoFilesMeet) {
  const std::string header = "int width(int n);\n";
  const std::string width = R"(#include "width.h"
int width(int n) {
  return n * 4;  // WIDTH
}
)";
  const std::string main = R"(#include <stdio.h>
#include "width.h"
int main(int argc, char** argv) {
  int count = argc - 1;  // COUNT
  int size = count * width(argc);  // SIZE
  printf("%d\n", size);  // OUT
  return 0;
}
)";
  const ChangedProgram program(Sources{{"width.h", header},
                                       {"width.c", with(width, {{"n * 4", "n * 2"}})},
                                       {"main.c", with(main, {{"argc - 1", "argc"}})}},
                               Sources{{"width.h", header}, {"width.c", width}, {"main.c", main}});
  EXPECT_EQ(program.nodes(Kind::kInteraction), Names{"SIZE"});
  EXPECT_EQ(program.edges(), (Names{"COUNT>WIDTH", "COUNT>SIZE", "WIDTH>SIZE", "SIZE>OUT"}));
}

TEST(ProgramGraph, AFunctionThatEndsTheProgramIsNotPassed) {
  const std::string after = R"(#include <stdio.h>
#include <stdlib.h>
static void fail(int code) {
  fputs("failed\n", stderr);  // MESSAGE
  exit(code);  // EXIT
}
int main(int argc, char** argv) {
  int code = argc + 3;  // CODE
  fail(code);
  puts("not reached");  // DEAD
  return 0;
}
)";
  const ChangedProgram program(with(after, {{"argc + 3", "argc"}}), after);
  EXPECT_EQ(program.edges(), Names{"CODE>MESSAGE"});
  const ChangedProgram past(with(after, {{"argc + 3", "argc"}}), after, {.graph = {.past_outputs = true}});
  EXPECT_EQ(past.edges(), (Names{"CODE>MESSAGE", "MESSAGE>EXIT"}));
}

TEST(ProgramGraph, WhatIsRegisteredForTheEndIsExecutedThere) {
  const std::string after = R"(#include <stdio.h>
#include <stdlib.h>
int total;
static void at_end(void) {
  total = total * 2;  // LAST
  if (total > 9) abort();  // ABORT
}
int main(int argc, char** argv) {
  atexit(at_end);
  total = argc + 1;  // TOTAL
  return 0;  // RETURN
}
)";
  const ChangedProgram program(with(after, {{"total * 2", "total"}, {"argc + 1", "argc"}}), after);
  EXPECT_EQ(program.starts(), Names{"TOTAL"});
  EXPECT_TRUE(program.edges().contains("TOTAL>LAST"));
  EXPECT_TRUE(program.edges().contains("LAST>ABORT"));
}

TEST(ProgramGraph, StreamsAreOutputsUnlessTheyMakeAString) {
  const std::string after = R"(#include <iostream>
#include <sstream>
int main(int argc, char** argv) {
  int n = argc + 1;  // N
  std::ostringstream text;
  text << n;
  std::cout << text.str();  // OUT
  return 0;  // END
}
)";
  const ChangedProgram program(Sources{{"main.cpp", with(after, {{"argc + 1", "argc"}})}},
                               Sources{{"main.cpp", after}});
  EXPECT_EQ(program.nodes(Kind::kOutput), (Names{"OUT", "END"}));
  EXPECT_TRUE(program.edges().contains("N>OUT"));
}

TEST(ProgramGraph, ContainersAreNoOutputsThoughTheyMayEndTheProgram) {
  const std::string after = R"(#include <cstdio>
#include <map>
#include <string>
#include <vector>
int main(int argc, char** argv) {
  std::vector<int> all;
  std::map<std::string, int> names;
  int n = argc + 1;  // N
  all.push_back(n);  // PUSH
  names[argv[0]] = all.at(0);  // PUT
  n = static_cast<int>(names.size()) + 2;  // M
  std::printf("%d", n);  // OUT
  return 0;  // END
}
)";
  const ChangedProgram program(Sources{{"main.cpp", with(after, {{"argc + 1", "argc"}, {"+ 2", "+ 3"}})}},
                               Sources{{"main.cpp", after}});
  EXPECT_FALSE(program.nodes(Kind::kOutput).contains("PUSH"));
  EXPECT_FALSE(program.nodes(Kind::kOutput).contains("PUT"));
  EXPECT_TRUE(program.edges().contains("N>M"));
  EXPECT_TRUE(program.edges().contains("M>OUT"));
}

TEST(ProgramGraph, AnExceptionLeadsToItsHandler) {
  const std::string after = R"(#include <cstdio>
static int half(int n) {
  if (n % 3 == 0) throw n;  // THROW
  return n / 2;
}
int main(int argc, char** argv) {
  try {
    half(argc);
  } catch (int) {
    std::puts("odd");  // CAUGHT
  }
  return 0;  // END
}
)";
  const ChangedProgram program(Sources{{"main.cpp", with(after, {{"n % 3", "n % 2"}})}},
                               Sources{{"main.cpp", after}});
  EXPECT_TRUE(program.edges().contains("THROW>CAUGHT"));
}

TEST(ProgramGraph, InitialisersOfGlobalsComeBeforeMain) {
  const std::string after = R"(#include <cstdio>
static int seed() {
  return std::getchar() + 1;  // SEED
}
int start = seed();
int main(int argc, char** argv) {
  int n = start + argc;  // N
  std::printf("%d", n);  // OUT
}
)";
  const ChangedProgram program(
      Sources{{"main.cpp", with(after, {{"getchar() + 1", "getchar()"}, {"+ argc", "- argc"}})}},
      Sources{{"main.cpp", after}});
  EXPECT_TRUE(program.starts().contains("SEED"));
  EXPECT_EQ(program.edges(), (Names{"SEED>N", "N>OUT"}));
}

TEST(ProgramGraph, AThreadIsComeToWhereItIsStarted) {
  const std::string after = R"(#include <pthread.h>
#include <stdio.h>
int shared;
static void* work(void* unused) {
  shared = shared * 2;  // WORK
  return unused;
}
int main(int argc, char** argv) {
  pthread_t thread;
  shared = argc + 1;  // BEFORE
  pthread_create(&thread, NULL, work, NULL);
  shared = 7;  // BESIDE
  pthread_join(thread, NULL);
  printf("%d", shared);  // OUT
}
)";
  const ChangedProgram program(with(after, {{"* 2", "* 3"}, {"argc + 1", "argc"}, {"= 7", "= 8"}}), after);
  EXPECT_EQ(program.edges(), (Names{"BEFORE>WORK", "BEFORE>BESIDE", "WORK>BESIDE", "BESIDE>OUT"}));
}

TEST(ProgramGraph, AnInitialValueThatDiffersIsAChangeOfWhatUsesIt) {
  const std::string after = R"(#include <stdio.h>
static int limit = 20;
int main(int argc, char** argv) {
  int over = argc > limit;  // USE
  printf("%d\n", over);  // OUT
  return 0;
}
)";
  const ChangedProgram program(with(after, {{"limit = 20", "limit = 10"}}), after);
  EXPECT_EQ(program.edges(), Names{"USE>OUT"});
}

TEST(ProgramGraph, AProgramWithoutTheEntryIsAnError) {
  EXPECT_THROW(ChangedProgram("int f(void) { return 1; }\n", "int f(void) { return 2; }\n"),
               std::runtime_error);
  const ChangedProgram library("int f(void) {\n  return 1;\n}\n", "int f(void) {\n  return 2;  // F\n}\n",
                               {.entries = {"f"}, .graph = {}});
  EXPECT_EQ(library.starts(), Names{"F"});
}

}  // namespace
}  // namespace heddle::interact
