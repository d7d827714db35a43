#include "check/changed_code.h"

#include <gtest/gtest.h>

namespace heddle {
namespace {

SourceChange change_of(const std::string& before, const std::string& after) {
  SourceChange change;
  change.files = {{"a.cpp", "a.cpp"}};
  StatementMap::Files files;
  files.base.push_back(parse_source("a.cpp", before));
  files.head.push_back(parse_source("a.cpp", after));
  change.statements = StatementMap(std::move(files));
  return change;
}

KnownTest test_in(const std::string& name, const std::string& function, uint32_t line) {
  FunctionActivity activity;
  activity.file = "a.cpp";
  activity.function = function;
  activity.thread_sets = {{}};
  activity.blocks = {{line, 1, 0}};
  KnownTest known;
  known.record.key.test = name;
  known.record.functions = {std::make_shared<const FunctionActivity>(activity)};
  known.is_of_tree = true;
  return known;
}

const std::string kTwoFunctions = "int f(int n) {\n  return n;\n}\nint g(int n) {\n  return n;\n}\n";

using Names = std::set<std::string>;

TEST(ChangedCode, IsReachedByTestsThatExecutedTheFunction) {
  const SourceChange change =
      change_of(kTwoFunctions, "int f(int n) {\n  return n + 1;\n}\nint g(int n) {\n  return n;\n}\n");
  EXPECT_EQ(tests_reaching(change, {}, {test_in("of_f", "f", 2), test_in("of_g", "g", 5)}), Names{"of_f"});
  // The block at a function's head, and what a compiler calls otherwise.
  EXPECT_EQ(tests_reaching(change, {}, {test_in("at_head", "f", 1), test_in("lambda", "{lambda}", 2)}),
            (Names{"at_head", "lambda"}));
}

TEST(ChangedCode, StatementsThatAreAddedOrRemovedCountWhereTheBaseHasTheirFunction) {
  const std::vector<KnownTest> history = {test_in("of_f", "f", 2), test_in("of_g", "g", 5)};
  EXPECT_EQ(
      tests_reaching(change_of(kTwoFunctions,
                               "int f(int n) {\n  return n;\n}\nint g(int n) {\n  ++n;\n  return n;\n}\n"),
                     {}, history),
      Names{"of_g"});
  EXPECT_EQ(tests_reaching(change_of(kTwoFunctions, kTwoFunctions + "int h(int n) {\n  return n;\n}\n"), {},
                           history),
            Names{});
}

TEST(ChangedCode, ANewFunctionMayBeCalledInPlaceOfAnotherOfItsName) {
  const std::vector<KnownTest> history = {test_in("of_f", "Base::f", 20), test_in("of_g", "Base::g", 25)};
  const SourceChange change =
      change_of(kTwoFunctions, kTwoFunctions + "struct Derived : Base { int f() { return 1; } };\n");
  EXPECT_EQ(tests_reaching(change, {}, history), Names{"of_f"});
}

TEST(ChangedCode, OtherFlagsChangeAllOfAFile) {
  EXPECT_EQ(tests_reaching(change_of(kTwoFunctions, kTwoFunctions), {{"a.cpp", "-DFAST"}},
                           {test_in("of_f", "f", 2)}),
            Names{"of_f"});
}

TEST(ChangedCode, RecordsOfOtherRevisionsSayNothing) {
  KnownTest other = test_in("of_f", "f", 2);
  other.is_of_tree = false;
  EXPECT_EQ(tests_reaching(change_of(kTwoFunctions, "int f(int n) {\n  return 0;\n}\n"), {}, {other}),
            Names{});
}

}  // namespace
}  // namespace heddle
