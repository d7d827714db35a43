// A change in words.
#include "change/describe_change.h"

#include <gtest/gtest.h>

namespace heddle {
namespace {

SourceChange change_of(const std::string& before, const std::string& after) {
  StatementMap::Files files;
  files.base.push_back(parse_source("a.cpp", before));
  files.head.push_back(parse_source("a.cpp", after));
  SourceChange change;
  change.files.push_back({"a.cpp", "a.cpp", false});
  change.statements = StatementMap(std::move(files));
  return change;
}

TEST(DescribeChange, TextOutsideFunctionsThatIsNotUnderstood) {
  const std::string rest = "void f() { a(); }";
  const SourceChange change = change_of(rest, "REGISTER(queue)\n" + rest);
  EXPECT_EQ(describe(change),
            "a.cpp\noutside functions\n  + a.cpp:1: `REGISTER ( queue )` is not understood\n");
  EXPECT_EQ(summarize(change), "1 file, 0 declarations, 0 functions, 1 statement");
}

TEST(DescribeChange, StatementsOfAFunctionInTheOrderOfTheText) {
  const SourceChange change = change_of("void f() { a(); b(); }", "void f() {\n  a();\n  lock();\n}");
  EXPECT_EQ(describe(change), "a.cpp\n  f()\n    -     1  b();\n    +     3  lock();\n");
  EXPECT_EQ(summarize(change), "1 file, 0 declarations, 1 function, 2 statements");
}

TEST(DescribeChange, DeclarationUnderAnotherCondition) {
  EXPECT_EQ(describe(change_of("int n;", "#ifdef A\nint n;\n#endif")),
            "a.cpp\ndeclarations\n  ~ variable n: int n;, was int n;"
            "   (was compiled always, is compiled if defined ( A ))\n");
}

}  // namespace
}  // namespace heddle
