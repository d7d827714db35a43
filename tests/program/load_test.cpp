#include <algorithm>
#include <chrono>
#include <fstream>

#include <fmt/format.h>

#include "program/compile_unit.h"
#include "small_project.h"

namespace heddle::program {
namespace {

CompileCommand command(std::vector<std::string> arguments, const std::string& file = "/p/x.cpp") {
  return {"/p", file, std::move(arguments)};
}

TEST(TranslateCommand, KeepsWhatDecidesMeaningOnly) {
  const UnitCommand unit = translate_command(command({"ccache",
                                                      "/usr/bin/g++-12",
                                                      "-DA=1",
                                                      "-D",
                                                      "B",
                                                      "-Iinc",
                                                      "-isystem",
                                                      "/lib/x",
                                                      "-O2",
                                                      "-g3",
                                                      "-fsanitize=thread",
                                                      "-fprofile-arcs",
                                                      "--coverage",
                                                      "-ftree-vectorize",
                                                      "-fno-rtti",
                                                      "-std=gnu++20",
                                                      "-Wall",
                                                      "-Werror",
                                                      "-D_FORTIFY_SOURCE=2",
                                                      "-MD",
                                                      "-MF",
                                                      "x.d",
                                                      "-o",
                                                      "x.o",
                                                      "-c",
                                                      "x.cpp",
                                                      "-fPIE"}));
  EXPECT_EQ(unit.language, UnitLanguage::kCxx);
  EXPECT_EQ(unit.flags, (std::vector<std::string>{"-DA=1", "-DB", "-Iinc", "-isystem", "/lib/x", "-fno-rtti",
                                                  "-std=gnu++20"}));
}

TEST(TranslateCommand, TakesTheTextOfCMakesPrecompiledHeaders) {
  const UnitCommand clang =
      translate_command(command({"clang++", "-Xclang", "-include-pch", "-Xclang", "/b/cmake_pch.hxx.pch",
                                 "-Xclang", "-include", "-Xclang", "/b/cmake_pch.hxx", "-c", "x.cpp"}));
  EXPECT_EQ(clang.flags, (std::vector<std::string>{"-include", "/b/cmake_pch.hxx"}));
}

TEST(TranslateCommand, KnowsLanguages) {
  EXPECT_EQ(translate_command(command({"cc", "-c", "x.c"}, "/p/x.c")).language, UnitLanguage::kC);
  EXPECT_EQ(translate_command(command({"cc", "-c", "x.S"}, "/p/x.S")).language, UnitLanguage::kOther);
  EXPECT_EQ(translate_command(command({"cc", "-x", "c++", "-c", "x.c"}, "/p/x.c")).language,
            UnitLanguage::kCxx);
}

TEST(ReadDependencies, UnderstandsEscapes) {
  EXPECT_EQ(read_dependencies("x.o: a.cpp \\\n  with\\ blank.h a$$b.h\n"),
            (std::vector<std::string>{"a.cpp", "with blank.h", "a$b.h"}));
}

TEST(Load, CompilesAgainOnlyWhatAnEditConcerns) {
  SmallProject project;
  project.write("value.h", "#pragma once\ninline int value() { return 1; }\n");
  project.add_unit("a.cpp", "#include \"value.h\"\nint a() { return value(); }\n");
  project.add_unit("b.cpp", "int b() { return 2; }\n");
  LoadReport report;
  ASSERT_TRUE(project.load(&report).has_value());
  EXPECT_EQ(report.from_cache, 0u);
  EXPECT_EQ(report.units, 2u);

  LoadReport again;
  Expected<Program> warm = project.load(&again);
  ASSERT_TRUE(warm.has_value());
  EXPECT_EQ(again.from_cache, 2u);
  EXPECT_EQ(again.functions, report.functions);
  EXPECT_EQ(warm->find("value").size(), 1u);

  project.write("value.h",
                "#pragma once\ninline int other() { return 1; }\ninline int value() { return other(); }\n");
  LoadReport edited;
  Expected<Program> changed = project.load(&edited);
  ASSERT_TRUE(changed.has_value());
  EXPECT_EQ(edited.from_cache, 1u);
  EXPECT_EQ(changed->find("other").size(), 1u);

  // The old text is known still: as base and head of a change are, in turn.
  project.write("value.h", "#pragma once\ninline int value() { return 1; }\n");
  LoadReport back;
  ASSERT_TRUE(project.load(&back).has_value());
  EXPECT_EQ(back.from_cache, 2u);
}

// As heddle builds revisions: each has a folder of its own, with sources and build beside each other.
TEST(Load, RevisionsShareTheUnitsThatAreTheSame) {
  SmallProject project;
  const auto load = [&](const std::string& revision, const std::string& changed,
                        const std::string& generated) {
    project.folder = revision + "/source";
    project.built_in = revision + "/build";
    for (const std::string& folder : {project.folder, project.built_in})
      std::filesystem::create_directories(project.root() / folder);
    project.write(project.folder + "/value.h", "inline int value() { return 1; }\n");
    project.write(project.folder + "/same.cpp", "#include \"value.h\"\nint same() { return value(); }\n");
    project.write(project.folder + "/changed.cpp", changed);
    project.write(project.folder + "/config.cpp", "#include \"config.h\"\nint size() { return kSize; }\n");
    project.write(project.built_in + "/config.h", generated);
    const auto old = std::filesystem::file_time_type::clock::now() - std::chrono::hours(1);
    for (const auto& file : std::filesystem::recursive_directory_iterator(project.root() / revision))
      std::filesystem::last_write_time(file, old);
    LoadReport report;
    EXPECT_TRUE(project.load(&report).has_value());
    return report.from_cache;
  };
  project.add_unit("same.cpp", "");
  project.add_unit("changed.cpp", "");
  project.add_unit("config.cpp", "");
  EXPECT_EQ(load("one", "int changed() { return 1; }\n", "const int kSize = 1;\n"), 0u);
  EXPECT_EQ(load("one", "int changed() { return 1; }\n", "const int kSize = 1;\n"), 3u);
  EXPECT_EQ(load("two", "int changed() { return 2; }\n", "const int kSize = 2;\n"), 1u)
      << "what the build has made may differ";
  EXPECT_EQ(load("two", "int changed() { return 2; }\n", "const int kSize = 2;\n"), 3u);
}

TEST(Load, UnitThatDoesNotCompileIsDegraded) {
  SmallProject project;
  project.add_unit("good.cpp", "int good() { return 1; }\n");
  project.add_unit("bad.cpp", "int bad() { return undeclared; }\n");
  LoadReport report;
  Expected<Program> program = project.load(&report);
  ASSERT_TRUE(program.has_value());
  ASSERT_EQ(report.degraded_units.size(), 1u);
  EXPECT_NE(report.degraded_units[0].find("bad.cpp"), std::string::npos);
  EXPECT_NE(report.degraded_units[0].find("undeclared identifier"), std::string::npos)
      << report.degraded_units[0];
  EXPECT_EQ(program->find("good").size(), 1u);
  ASSERT_EQ(program->units().size(), 2u);
  EXPECT_FALSE(program->units()[1].degraded.empty());
}

TEST(Load, NodesAreStatementsOfTheText) {
  SmallProject project;
  project.add_unit(
      "a.cpp",
      "int total;\nvoid add(int n) {\n  for (int i = 0; i < n; ++i) {\n    if (i > 2) total += i; else "
      "total =\n        1;\n  }\n}\n");
  Expected<Program> program = project.load();
  ASSERT_TRUE(program.has_value());
  const std::vector<FunctionIndex> found = program->find("add");
  ASSERT_EQ(found.size(), 1u);
  std::vector<std::string> stores;
  const Function& add = program->function(found.front());
  for (const Block& block : add.blocks)
    for (const Op& op : block.ops)
      if (op.kind == OpKind::kStore && op.node != kNone) stores.push_back(add.nodes[op.node].text);
  // Two statements of one line are two nodes, and one of two lines is one.
  EXPECT_EQ(std::ranges::count(stores, "total += i ;"), 1) << fmt::format("{}", fmt::join(stores, " | "));
  EXPECT_EQ(std::ranges::count(stores, "total = 1 ;"), 1) << fmt::format("{}", fmt::join(stores, " | "));
  EXPECT_EQ(program->nodes_at("a.cpp", 5, 9), program->nodes_at("a.cpp", 4, 35));
}

TEST(Load, FunctionsOfADegradedUnitAreKnownByTheirText) {
  SmallProject project;
  project.add_unit("bad.cpp", "int bad() { return undeclared; }\nint other() { return 1; }\n");
  LoadReport report;
  Expected<Program> program = project.load(&report);
  ASSERT_TRUE(program.has_value());
  EXPECT_EQ(report.functions_degraded, 2u);
  ASSERT_EQ(program->find("other").size(), 1u);
  EXPECT_FALSE(program->function(program->find("other").front()).degraded.empty());
}

TEST(Load, DamagedCacheIsMadeAgain) {
  SmallProject project;
  project.add_unit("a.cpp", "int a() { return 1; }\n");
  ASSERT_TRUE(project.load().has_value());
  size_t damaged = 0;
  for (const auto& entry : std::filesystem::directory_iterator(project.root() / "cache")) {
    if (entry.path().extension() != ".facts") continue;
    std::fstream file(entry.path(), std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(-6, std::ios::end);
    file.write("damage", 6);
    ++damaged;
  }
  ASSERT_EQ(damaged, 1u);
  Expected<Program> program = project.load();
  ASSERT_TRUE(program.has_value());
  EXPECT_EQ(program->find("a").size(), 1u);
}

size_t entries(const std::filesystem::path& folder, const std::string& prefix, const std::string& extension) {
  size_t found = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    if (entry.path().filename().string().starts_with(prefix) && entry.path().extension() == extension)
      ++found;
  return found;
}

TEST(Load, FactsThatNobodyUsesGoAway) {
  SmallProject project;
  project.add_unit("a.cpp", "int a() { return 1; }\n");
  project.add_unit("b.cpp", "int b() { return 1; }\n");
  ASSERT_TRUE(project.load().has_value());
  const std::filesystem::path folder = project.root() / "cache";
  EXPECT_EQ(entries(folder, "", ".facts"), 2u);
  const auto long_ago = std::filesystem::file_time_type::clock::now() - std::chrono::hours(24 * 40);
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    std::filesystem::last_write_time(entry, long_ago);
  // The facts of b are used again, those of the first a are not.
  project.write("a.cpp", "int a() { return 2; }\n");
  LoadReport report;
  ASSERT_TRUE(project.load(&report).has_value());
  EXPECT_EQ(report.from_cache, 1u);
  EXPECT_EQ(entries(folder, "", ".facts"), 2u);
  project.write("a.cpp", "int a() { return 1; }\n");
  LoadReport again;
  ASSERT_TRUE(project.load(&again).has_value());
  EXPECT_EQ(again.from_cache, 1u);
}

TEST(Load, RemovesWhatAKilledLoadHasLeft) {
  SmallProject project;
  project.add_unit("a.cpp", "int a() { return 1; }\n");
  const std::filesystem::path folder = project.root() / "cache";
  std::filesystem::create_directories(folder / "heddle-units-dead");
  std::filesystem::create_directories(folder / "heddle-units-new");
  project.write("cache/heddle-units-dead/unit0.bc", "half");
  const auto hour_ago = std::filesystem::file_time_type::clock::now() - std::chrono::hours(1);
  std::filesystem::last_write_time(folder / "heddle-units-dead", hour_ago);
  ASSERT_TRUE(project.load().has_value());
  EXPECT_FALSE(std::filesystem::exists(folder / "heddle-units-dead"));
  // Perhaps just made: its process may be about to lock it.
  EXPECT_TRUE(std::filesystem::exists(folder / "heddle-units-new"));
  EXPECT_EQ(entries(folder, "heddle-units-", ""), 1u);
}

TEST(Load, SharesHeadersAmongUnits) {
  SmallProject project;
  for (char name = 'a'; name <= 'e'; ++name)
    project.add_unit(
        fmt::format("{}.cpp", name),
        fmt::format("#include <algorithm>\nint {}(int x) {{ int y = 0; std::swap(x, y); return y; }}\n",
                    name));
  // What this one defines could give the headers another meaning.
  project.add_unit("own.cpp", "#define _GLIBCXX_DEBUG 1\n#include <algorithm>\nint own = _GLIBCXX_DEBUG;\n");
  LoadReport report;
  Expected<Program> program = project.load(&report);
  ASSERT_TRUE(program.has_value());
  EXPECT_TRUE(report.degraded_units.empty());
  EXPECT_EQ(program->find("std::swap").size(), 1u);  // one, though five units have it
  for (char name = 'a'; name <= 'e'; ++name) EXPECT_EQ(program->find(std::string(1, name)).size(), 1u);
  LoadReport again;
  ASSERT_TRUE(project.load(&again).has_value());
  EXPECT_EQ(again.from_cache, 6u);
}

TEST(Load, CallsOfConstructorsReachTheirDefinitions) {
  for (const unsigned together : {1u, 40u}) {
    SmallProject project;
    project.together = together;
    project.write("thing.h", "#pragma once\nstruct Thing {\n  Thing();\n  ~Thing();\n  int value;\n};\n");
    project.add_unit("use.cpp",
                     "#include \"thing.h\"\nint use() {\n  Thing thing;\n  return thing.value;\n}\n");
    project.add_unit("thing.cpp",
                     "#include \"thing.h\"\nThing::Thing() : value(1) {}\nThing::~Thing() { value = 0; }\n");
    const Expected<Program> program = project.load();
    ASSERT_TRUE(program.has_value());
    const FunctionIndex use = program->find("use").at(0);
    size_t found = 0;
    for (const Block& block : program->function(use).blocks)
      for (const Op& op : block.ops)
        if (op.kind == OpKind::kCall && program->definition(program->unit_of(use), op.symbol) != kNone)
          ++found;
    EXPECT_EQ(found, 2u) << "together " << together;
    EXPECT_EQ(program->find("Thing::Thing").size(), 1u);
  }
}

TEST(Load, EachExecutableKeepsItsMain) {
  SmallProject project;
  project.add_unit("one.cpp", "int main() { return 1; }\n");
  project.add_unit("two.cpp", "int main() { return 2; }\n");
  Expected<Program> program = project.load();
  ASSERT_TRUE(program.has_value());
  EXPECT_EQ(program->find("main").size(), 2u);
}

TEST(Load, VersionsShareUnitsThatAreTheSame) {
  const std::string twice = "inline int twice(int n) { return 2 * n; }\n";
  SmallProject project;
  project.known = std::make_shared<KnownUnits>();
  project.write("twice.h", twice);
  project.add_unit("first.cpp", "#include \"twice.h\"\nint first(int n) { return twice(n); }\n");
  project.add_unit("second.cpp", "#include \"twice.h\"\nint second(int n) { return twice(n) + 1; }\n");
  project.add_unit("third.cpp", "int third(int n) { return n; }\n");
  const Expected<Program> before = project.load();
  ASSERT_TRUE(before.has_value());
  project.write("first.cpp", "int first(int n) { return n; }\n");
  const Expected<Program> after = project.load();
  ASSERT_TRUE(after.has_value());
  EXPECT_EQ(&before->units()[2], &after->units()[2]);
  // Of a body that was the first unit's it is the second's now that is meant.
  ASSERT_EQ(after->find("twice").size(), 1u);
  EXPECT_EQ(after->unit_of(after->find("twice").front()).file, "second.cpp");
  EXPECT_EQ(before->size(), after->size());
}

TEST(Load, SaysWhatIsWrongWithTheCommands) {
  SmallProject project;
  LoadOptions options;
  options.compile_commands = project.root() / "missing.json";
  options.source = project.root();
  Expected<Program> missing = load_program(options);
  ASSERT_FALSE(missing.has_value());
  EXPECT_NE(missing.error().message.find("CMAKE_EXPORT_COMPILE_COMMANDS"), std::string::npos);
  project.write("wrong.json", "{}");
  options.compile_commands = project.root() / "wrong.json";
  ASSERT_FALSE(load_program(options).has_value());
  project.add_unit("a.cpp", "int a;\n");
  ASSERT_TRUE(project.load().has_value());
  options.compile_commands = project.root() / "compile_commands.json";
  options.clang = "no-such-compiler";
  Expected<Program> no_compiler = load_program(options);
  ASSERT_FALSE(no_compiler.has_value());
  EXPECT_NE(no_compiler.error().message.find("no-such-compiler"), std::string::npos);
}

}  // namespace
}  // namespace heddle::program
