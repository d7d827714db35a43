#include "cli/compiler_wrapper.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

namespace heddle {
namespace {

using Words = std::vector<std::string>;

bool has(const Words& words, const std::string& word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

const WrapperPaths kPaths{.coverage_stub = "/rt/libheddle_cov.a", .clang_runtimes = "/clang"};

TEST(CompilerWrapper, KnowsWhatTheArgumentsAskFor) {
  struct Case {
    Words argv;
    bool has_input, compiles, links;
  };
  const Case cases[] = {
      {{"--version"}, false, false, false},
      {{"-v"}, false, false, false},
      {{"-dumpmachine"}, false, false, false},
      {{"-print-file-name=libc.so"}, false, false, false},
      {{"-c", "a.cpp", "-o", "a.o"}, true, true, false},
      {{"-E", "a.cpp"}, true, true, false},
      {{"-MM", "a.cpp"}, true, true, false},
      {{"-S", "-x", "c++", "-"}, true, true, false},
      {{"-fsyntax-only", "a.cpp"}, true, true, false},
      {{"a.cpp"}, true, true, true},
      {{"a.o", "-o", "prog"}, true, false, true},
      {{"-shared", "-o", "lib.so", "a.o"}, true, false, true},
      {{"a.o", "/usr/lib/libz.so.1", "libx.a"}, true, false, true},
      {{"-o", "a.o", "-I", "include", "-D", "X=1", "-v"}, false, false, false},
  };
  for (const Case& each : cases) {
    const CompilerJob job = analyse_arguments(each.argv);
    EXPECT_EQ(job.has_input, each.has_input) << each.argv[0];
    EXPECT_EQ(job.compiles, each.compiles) << each.argv[0];
    EXPECT_EQ(job.links, each.links) << each.argv[0];
  }
}

TEST(CompilerWrapper, LooksIntoResponseFiles) {
  const std::string path = ::testing::TempDir() + "heddle_response";
  std::ofstream(path) << "-c 'a file.cpp' \"-o\" a.o @" << path << "\n";
  const CompilerJob job = analyse_arguments({"@" + path});
  EXPECT_TRUE(job.compiles);
  EXPECT_FALSE(job.links);
  std::filesystem::remove(path);
}

TEST(CompilerWrapper, QuestionsAreLeftAlone) {
  for (const auto family : {CompilerFamily::kGcc, CompilerFamily::kClang}) {
    EXPECT_EQ(wrap_arguments(family, {"--version"}, kPaths), Words{"--version"});
  }
}

TEST(CompilerWrapper, UsersFlagsComeAfterAndWin) {
  const Words words = wrap_arguments(CompilerFamily::kGcc, {"-g0", "-c", "a.c"}, kPaths);
  EXPECT_EQ(words, (Words{"-fsanitize=thread", "-g", "-fsanitize-coverage=trace-pc", "-Wno-tsan", "-g0", "-c",
                          "a.c"}));
}

TEST(CompilerWrapper, GccLinksTheCoverageStubLast) {
  const Words words = wrap_arguments(CompilerFamily::kGcc, {"-x", "c", "a.c"}, kPaths);
  EXPECT_EQ(Words(words.end() - 3, words.end()), (Words{"-x", "none", "/rt/libheddle_cov.a"}));
}

TEST(CompilerWrapper, ClangLinksItsRuntimeAsALibraryThatCanBeReplaced) {
  const Words link = wrap_arguments(CompilerFamily::kClang, {"a.o"}, kPaths);
  EXPECT_TRUE(has(link, "-shared-libsan"));
  EXPECT_TRUE(has(link, "-Wl,-rpath,/clang"));
  EXPECT_TRUE(has(link, "-Wl,--enable-new-dtags"));
  const Words compile = wrap_arguments(CompilerFamily::kClang, {"-c", "a.c"}, kPaths);
  EXPECT_FALSE(has(compile, "-shared-libsan"));
  EXPECT_TRUE(has(compile, "-tsan-instrument-read-before-write"));
}

TEST(CompilerWrapper, FamilyIsInTheName) {
  EXPECT_EQ(compiler_family("/usr/bin/clang++-19"), CompilerFamily::kClang);
  EXPECT_EQ(compiler_family("x86_64-linux-gnu-g++-12"), CompilerFamily::kGcc);
  EXPECT_EQ(compiler_family("no-such-compiler"), CompilerFamily::kGcc);
}

}  // namespace
}  // namespace heddle
