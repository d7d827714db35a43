// Units that are compiled together must have the facts of units that are compiled alone.
#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "program/show.h"
#include "small_project.h"

namespace heddle::program {
namespace {

std::string name_of(const Unit& unit, uint32_t symbol) {
  return symbol == kNone ? "-" : unit.symbols[symbol].linkage_name;
}

std::vector<std::string> names_of(const Unit& unit, const std::vector<uint32_t>& symbols) {
  std::vector<std::string> names;
  for (uint32_t symbol : symbols) names.push_back(name_of(unit, symbol));
  return names;
}

// All that a program says, in an order that does not depend on numbers. Constants that have no name of their
// own are numbered by the compiler.
std::vector<std::string> lines_of(const Program& program) {
  std::vector<std::string> lines;
  for (const Unit& unit : program.units()) {
    for (const Symbol& symbol : unit.symbols) {
      if (symbol.linkage_name.starts_with(".str") || symbol.linkage_name.starts_with("llvm.")) continue;
      std::vector<std::string> pointers = names_of(unit, symbol.initial_pointers);
      std::ranges::sort(pointers);
      lines.push_back(fmt::format("{}: {} {} {}:{} {}{}{}{} {} {} {}", unit.file, symbol.linkage_name,
                                  symbol.name, symbol.file, symbol.line, symbol.is_function,
                                  symbol.is_defined, symbol.is_constant, symbol.is_merged,
                                  symbol.type == kNone ? "-" : unit.types[symbol.type].name,
                                  symbol.is_defined ? symbol.size : 0, fmt::join(pointers, " ")));
    }
    for (const Type& type : unit.types)
      lines.push_back(fmt::format("{}: class {} {} {}", unit.file, type.name, type.size,
                                  fmt::join(names_of(unit, type.vtable), " ")));
  }
  for (FunctionIndex f = 0; f < program.size(); ++f)
    lines.push_back(program.unit_of(f).file + ": " + show_function(program, f));
  std::ranges::sort(lines);
  return lines;
}

// Loads the project both ways, in `runs` runs of the compiler the one way.
void expect_the_same(SmallProject& project, size_t runs) {
  LoadReport alone;
  project.together = 1;
  project.cache = "";
  const Expected<Program> expected = project.load(&alone);
  LoadReport together;
  project.together = 40;
  const Expected<Program> program = project.load(&together);
  ASSERT_TRUE(expected.has_value() && program.has_value());
  EXPECT_EQ(alone.degraded_units, std::vector<std::string>());
  EXPECT_EQ(together.degraded_units, std::vector<std::string>());
  EXPECT_EQ(together.compilations, runs);
  const std::vector<std::string> one = lines_of(*expected);
  const std::vector<std::string> other = lines_of(*program);
  std::vector<std::string> lost;
  std::vector<std::string> added;
  std::ranges::set_difference(one, other, std::back_inserter(lost));
  std::ranges::set_difference(other, one, std::back_inserter(added));
  // That a class is described where it is not used does no harm.
  std::erase_if(added, [](const std::string& line) {
    return line.find(": class ") != std::string::npos && line.find("_Z") == std::string::npos;
  });
  EXPECT_EQ(fmt::format("{}", fmt::join(added, "\n")), fmt::format("{}", fmt::join(lost, "\n")));
}

TEST(Batches, FactsAreThoseOfUnitsAlone) {
  SmallProject project;
  project.write("shape.h",
                "#pragma once\n#include <vector>\nstruct Shape {\n  virtual ~Shape() = default;\n"
                "  virtual int area() const = 0;\n};\nstatic int counted = 3;\n"
                "inline int twice(int x) { return 2 * x + counted; }\n"
                "template <typename T> T largest(const std::vector<T>& all) {\n"
                "  T best = all[0];\n  for (const T& one : all) if (best < one) best = one;\n"
                "  return best;\n}\n"
                "Shape* make_square(int side);\nextern int made;\n");
  project.add_unit(
      "square.cpp",
      "#include \"shape.h\"\nnamespace {\nstruct Square : Shape {\n"
      "  explicit Square(int s) : side(s) {}\n  int area() const override { return side * side; }\n"
      "  int side;\n};\nint largest_side = twice(4);\n}\nint made = largest_side;\n"
      "Shape* make_square(int side) { ++made; return new Square(side); }\n");
  project.add_unit("circle.cpp",
                   "#include \"shape.h\"\nnamespace {\nstruct Circle : Shape {\n"
                   "  int area() const override { return twice(radius); }\n  int radius = made;\n};\n"
                   "Circle whole;\nconst char* const kWord = \"circle\";\n}\n"
                   "int area_of_circle() { return whole.area() + kWord[0]; }\n");
  project.add_unit("use.cpp",
                   "#include \"shape.h\"\nint sum(int n) {\n  std::vector<int> areas;\n"
                   "  auto add = [&](const Shape& shape) { areas.push_back(shape.area()); };\n"
                   "  static int calls = n;\n  Shape* square = make_square(n);\n  add(*square);\n"
                   "  delete square;\n  return largest(areas) + calls;\n}\n");
  expect_the_same(project, 1);
}

// Virtual tables, thunks and guards have no place in any text: they go with what they are about.
TEST(Batches, WhatTheCompilerMakesOfAClassIsWhereTheClassIs) {
  SmallProject project;
  project.write("handlers.h",
                "#pragma once\nnamespace log {\nstruct Handler {\n  virtual ~Handler() = default;\n"
                "  virtual int handle(int level);\n};\nstruct Named {\n  virtual ~Named() = default;\n"
                "  virtual int name() const;\n};\n"
                "struct Memory : Handler, virtual Named {\n  int handle(int level) override;\n"
                "  int name() const override;\n  int kept = 0;\n};\n"
                "template <typename T> struct Filter : Handler {\n  int handle(int level) override;\n"
                "  T least{};\n};\n"
                "template <typename T> int Filter<T>::handle(int level) { return level > least; }\n"
                "template <> int Filter<short>::handle(int level);\n"
                "extern template struct Filter<long>;\n"
                "struct Registry {\n  static Handler& first();\n  static Handler kept;\n};\n}\n");
  project.add_unit("first.cpp",
                   "#include \"handlers.h\"\nint log_all(log::Handler& to) { return to.handle(1); }\n"
                   "int log_in(log::Memory& to) { return to.name() + to.kept; }\n");
  project.add_unit(
      "handlers.cpp",
      "#include \"handlers.h\"\nnamespace log {\nint Handler::handle(int level) { return level; }\n"
      "int Memory::handle(int level) { return kept = level; }\n"
      "int Memory::name() const { return kept; }\n"
      "template <> int Filter<short>::handle(int level) { return least - level; }\n}\n");
  project.add_unit("names.cpp",
                   "#include \"handlers.h\"\nnamespace log {\nint Named::name() const { return 0; }\n"
                   "Handler Registry::kept;\n"
                   "Handler& Registry::first() { static Handler handler; return handler; }\n}\n");
  project.add_unit(
      "last.cpp",
      "#include \"handlers.h\"\nint use() {\n  log::Filter<short> few;\n  log::Filter<long> many;\n"
      "  log::Filter<int> own;\n  return few.handle(1) + many.handle(2) + own.handle(3);\n}\n");
  // What is made for others only is made by a unit alone.
  project.add_unit("long.cpp", "#include \"handlers.h\"\ntemplate struct log::Filter<long>;\n");
  expect_the_same(project, 2);
}

TEST(Batches, WhatCouldChangeTheMeaningOfAnotherUnitGoesApart) {
  SmallProject project;
  project.write("a.h", "#pragma once\n#define VALUE 1\n");
  project.write("b.h", "#pragma once\n#define VALUE 2\n");
  project.add_unit("name1.cpp",
                   "namespace { int helper(long) { return 1; } }\nint f1() { return helper(1); }\n");
  project.add_unit("name2.cpp",
                   "namespace n { namespace { int helper(int) { return 2; } }\n"
                   "int f2() { return helper(1); } }\n");
  project.add_unit("macro1.cpp", "#include \"a.h\"\nint m1() { return VALUE; }\n");
  project.add_unit("macro2.cpp", "#include \"b.h\"\nint m2() { return VALUE; }\n");
  // Macros at the end are removed after their unit; those before a header may decide what it says.
  project.add_unit("late.cpp", "int late() {\n#define m1 7\n  return m1;\n}\n");
  project.add_unit("early.cpp", "#define SMALL\n#include \"choice.h\"\nint early() { return choice(); }\n");
  project.write("choice.h",
                "#pragma once\n#ifdef SMALL\nstatic int choice() { return 1; }\n#else\n"
                "static int choice() { return 2; }\n#endif\n");
  project.write("small.h", "#pragma once\n#define SMALL\n");
  project.add_unit("small.cpp", "#include \"small.h\"\nint small() { return 1; }\n");
  project.add_unit("choice.cpp", "#include \"choice.h\"\nint chosen() { return choice(); }\n");
  project.add_unit("own_macro.cpp", "#define f3 f4\nint f3() { return 0; }\n");
  project.add_unit("plain.cpp", "int f3() { return 1; }\n");
  // name1, macro1, late, small and own_macro; name2, macro2, choice and plain; early.
  expect_the_same(project, 3);
}

// A build system's own collections (CMake's unity files): their text names nothing that they define.
TEST(Batches, UnitMadeOfSourceFilesGoesAlone) {
  SmallProject project;
  project.write("one.cpp", "namespace { int helper() { return 1; } }\nint one() { return helper(); }\n");
  project.write("two.cpp", "int two() { return 2; }\n");
  project.write("three.cpp", "namespace { int helper() { return 3; } }\nint three() { return helper(); }\n");
  project.add_unit("unity_0.cpp", "#include \"one.cpp\"\n#include \"two.cpp\"\n");
  project.add_unit("unity_1.cpp", "#include \"three.cpp\"\n");
  project.add_unit("four.cpp", "int four() { return 4; }\n");
  project.add_unit("five.cpp", "int five() { return 5; }\n");
  // Each collection, and the other two together.
  expect_the_same(project, 3);
}

TEST(Batches, UnitThatDoesNotGoWithTheOthersIsTakenOut) {
  SmallProject project;
  project.write("make.h", "#pragma once\n#define MAKE(name) static int name##_made() { return __LINE__; }\n");
  project.add_unit("a.cpp", "#include \"make.h\"\nMAKE(thing)\nint a() { return thing_made(); }\n");
  project.add_unit("b.cpp", "#include \"make.h\"\n\nMAKE(thing)\nint b() { return thing_made(); }\n");
  project.add_unit("c.cpp", "int c() { return 3; }\n");
  // All three, then a and c, and b.
  expect_the_same(project, 3);
}

TEST(Batches, UnitThatDoesNotCompileLeavesTheOthersAsTheyAre) {
  SmallProject project;
  project.add_unit("a.cpp", "int a() { return 1; }\n");
  project.add_unit("bad.cpp", "int bad() { return undeclared; }\n");
  project.add_unit("b.cpp", "int b() { return 1; }\n");
  LoadReport report;
  const Expected<Program> program = project.load(&report);
  ASSERT_TRUE(program.has_value());
  EXPECT_EQ(report.degraded_units.size(), 1u);
  EXPECT_EQ(report.functions_degraded, 1u);
  EXPECT_EQ(report.functions, 3u);
}

}  // namespace
}  // namespace heddle::program
