#include "interact/graph_text.h"

#include <gtest/gtest.h>

#include "changed_program.h"

namespace heddle::interact {
namespace {

const char* const kBefore = R"(#include <stdio.h>
int main(int argc, char** argv) {
  int a = argc;
  int b = argc;
  if (a > b + 1)
    printf("\"%d\"\n", a);
  return 0;
}
void never(void) {
  puts("a");
}
)";
const char* const kAfter = R"(#include <stdio.h>
int main(int argc, char** argv) {
  int a = argc + 1;
  int b = argc + 2;
  if (a > b + 1)
    printf("\"%d\"\n", a);
  return 0;
}
void never(void) {
  puts("b");
}
)";

TEST(GraphText, NumbersNodesAndSaysWhereToNext) {
  EXPECT_EQ(describe_graph(ChangedProgram(kBefore, kAfter).graph()),
            R"(   1  change       main.c:3   int a = argc + 1;       -> 2, 3
   2  change       main.c:4   int b = argc + 2;       -> 3
   3  interaction  main.c:5   if (a > b + 1)          -> 4, 5
   4  output       main.c:6   printf("\"%d\"\n", a);
   5  output       main.c:7   return 0;
   6  change       main.c:10  puts("b");              never executed
Sequences begin with 1.
)");
}

TEST(GraphText, DrawsKindsAsShapesAndQuotesText) {
  const std::string drawn = draw_graph(ChangedProgram(kBefore, kAfter).graph());
  EXPECT_EQ(drawn, R"(digraph changes {
  n1 [shape=box, label="int a = argc + 1;\nmain.c:3"];
  n2 [shape=box, label="int b = argc + 2;\nmain.c:4"];
  n3 [shape=diamond, label="if (a > b + 1)\nmain.c:5"];
  n4 [shape=ellipse, label="printf(\"\\\"%d\\\"\\n\", a);\nmain.c:6"];
  n5 [shape=ellipse, label="return 0;\nmain.c:7"];
  n6 [shape=box, label="puts(\"b\");\nmain.c:10", style=dotted];
  n1 -> n2;
  n1 -> n3 [style=dashed];
  n2 -> n3;
  n3 -> n4;
  n3 -> n5;
}
)");
}

TEST(GraphText, SaysWhatStandsForWhat) {
  const std::string after = "int main(int argc, char** argv) {\n  return argc;\n}\n";
  const std::string before = "int main(int argc, char** argv) {\n  argc = 2;\n  return argc;\n}\n";
  const std::string text = describe_graph(ChangedProgram(before, after).graph());
  EXPECT_NE(text.find("1: stands for the removed `argc = 2;` (main.c:2).\n"), std::string::npos) << text;
}

}  // namespace
}  // namespace heddle::interact
