// What is read of a compiler's command line.
#include "interact/versions/compiler_call.h"

#include <fstream>

#include <gtest/gtest.h>

#include "interact/versions/program_parts.h"

namespace heddle::interact {
namespace {

using Kind = LinkWord::Kind;
using Result = CallParts::Result;

CallParts read(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), "gcc");
  return parts_of({"/src", arguments});
}

TEST(CompilerCall, KnowsWhatIsMade) {
  EXPECT_EQ(read({"-c", "a.c"}).result, Result::kObjects);
  EXPECT_EQ(read({"a.c"}).result, Result::kExecutable);
  EXPECT_EQ(read({"-shared", "a.o"}).result, Result::kSharedLibrary);
  EXPECT_EQ(read({"-r", "a.o", "b.o"}).result, Result::kObjectOfObjects);
  EXPECT_EQ(read({"--version"}).result, Result::kNothing);
  EXPECT_EQ(read({"-E", "a.c"}).result, Result::kNothing);
  EXPECT_EQ(read({"-MM", "a.c"}).result, Result::kNothing);
  EXPECT_EQ(read({"-x", "c", "-"}).result, Result::kNothing);
  EXPECT_EQ(read({"-x", "c++-header", "all.h"}).result, Result::kNothing);
  EXPECT_EQ(read({"-dumpbase", "a", "-c", "a.c"}).result, Result::kObjects);
}

TEST(CompilerCall, KeepsTheOrderOfWhatIsLinked) {
  const CallParts parts =
      read({"-o", "tool", "main.o", "-Llib", "x.c", "-lx", "-l", "m", "lib/liby.a", "start.S"});
  EXPECT_EQ(parts.output, "/src/tool");
  ASSERT_EQ(parts.link.size(), 7U);
  EXPECT_EQ(parts.link[0].path, "/src/main.o");
  EXPECT_EQ(parts.link[1].kind, Kind::kOption);
  EXPECT_EQ(parts.link[2].kind, Kind::kSource);
  EXPECT_EQ(parts.link[3].words, std::vector<std::string>{"-lx"});
  EXPECT_EQ(parts.link[4].words, std::vector<std::string>{"-lm"});
  EXPECT_EQ(parts.link[5].kind, Kind::kFile);
  EXPECT_EQ(parts.link[6].kind, Kind::kAssembler);
  const std::vector<std::filesystem::path> candidates = {"/src/lib/libx.so", "/src/lib/libx.a"};
  EXPECT_EQ(parts.candidates_of(parts.link[3]), candidates);
}

TEST(CompilerCall, LeavesAwayWhatWritesFilesOfTheBuild) {
  const CompilerCall call{"/src",
                          {"g++", "-O2", "-MD", "-MF", "a.d", "-MT", "a.o", "-D", "X=1", "-Wp,-MMD,b.d",
                           "-save-temps=obj", "-DY", "-oa.o", "-c", "a.cpp", "-Wl,-s", "-L/lib"}};
  const CallParts parts = parts_of(call);
  const std::vector<std::string> flags = {"-O2", "-D", "X=1", "-DY"};
  EXPECT_EQ(parts.flags, flags);
  const std::vector<std::string> compiled = {"g++", "-O2", "-D", "X=1", "-DY", "-c", "/src/a.cpp"};
  EXPECT_EQ(call_for(call, parts, parts.link.front()).arguments, compiled);
  EXPECT_EQ(parts.object_of(parts.link.front(), call), "/src/a.o");
}

TEST(CompilerCall, TellsLanguagesApartThatAreNamed) {
  const CompilerCall call{"/src", {"gcc", "-c", "-x", "c++", "a.inc", "-xnone", "b.c"}};
  const CallParts parts = parts_of(call);
  ASSERT_EQ(parts.link.size(), 2U);
  const std::vector<std::string> first = {"gcc", "-x", "c++", "-c", "/src/a.inc"};
  EXPECT_EQ(call_for(call, parts, parts.link[0]).arguments, first);
  const std::vector<std::string> second = {"gcc", "-c", "/src/b.c"};
  EXPECT_EQ(call_for(call, parts, parts.link[1]).arguments, second);
  EXPECT_EQ(parts.object_of(parts.link[1], call), "/src/b.o");
}

TEST(CompilerCall, KnowsTargetsOfCMakeByTheirObjects) {
  EXPECT_EQ(cmake_targets("/b/sub/CMakeFiles/tool.dir/src/a.c.o"), std::set<std::string>{"tool"});
  EXPECT_TRUE(is_probe("/b/CMakeFiles/3.25.1/CompilerIdC/a.out"));
  EXPECT_FALSE(is_probe("/b/CMakeFiles/tool.dir/generated.c"));
  EXPECT_TRUE(is_probe("/b/CMakeFiles/CMakeScratch/TryCompile-x/CMakeFiles/cmTC_1.dir/a.c.o"));
  EXPECT_FALSE(is_probe("/b/tool"));
}

}  // namespace
}  // namespace heddle::interact
