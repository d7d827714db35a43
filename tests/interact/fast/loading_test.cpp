// Programs that cannot live in one process, and what is said of them.
#include <cstdlib>
#include <fstream>

#include <gtest/gtest.h>

#include "fast_programs.h"
#include "interact/fast/fast_form.h"

namespace heddle::fast {
namespace {

namespace fs = std::filesystem;
using concolic::ProgramInput;

std::string error_of(const std::string& name, const std::string& text) {
  const CompiledProgram program = compile_text(name, text);
  ProgramOptions options;
  options.program = program.fast;
  options.program_name = "PROGRAM";
  const Expected<LoadedProgram> loaded = LoadedProgram::load(std::move(options));
  return loaded ? "" : loaded.error().message;
}

TEST(Loading, ConstructorsThatFailAreSaid) {
  EXPECT_EQ(error_of("aborts", R"(
    #include <stdlib.h>
    __attribute__((constructor)) static void begin(void) { abort(); }
    int main(void) { return 0; })"),
            "it is ended before main(), by signal 6");
  EXPECT_EQ(error_of("exits", R"(
    #include <stdio.h>
    #include <stdlib.h>
    __attribute__((constructor)) static void begin(void) { fputs("not today\n", stderr); exit(3); }
    int main(void) { return 0; })"),
            "it ends before main(), with code 3: not today");
  EXPECT_EQ(error_of("reads", R"(
    #include <stdio.h>
    __attribute__((constructor)) static void begin(void) { getchar(); }
    int main(void) { return 0; })"),
            "it looks at its input before main()");
  EXPECT_EQ(error_of("threads", R"(
    #include <unistd.h>
    __attribute__((constructor)) static void begin(void) { if (fork() == 0) _exit(0); }
    int main(void) { return 0; })"),
            "before main(), it starts threads or processes");
}

TEST(Loading, WhatConstructorsWriteIsPartOfEachRun) {
  const CompiledProgram program = compile_text("greets", R"(
    #include <stdio.h>
    #include <unistd.h>
    static int count;
    __attribute__((constructor)) static void begin(void) {
      write(1, "first ", 6);
      printf("hello ");
      ++count;
    }
    int main(void) { printf("%d\n", ++count); return 0; })");
  FastRunner runner = make_fast_runner(program, 2, test_limits());
  for (int i = 0; i < 3; ++i) {
    for (const VersionRun& run : *runner.run({})) EXPECT_EQ(run.out, "first hello 2\n");
  }
  EXPECT_EQ(runner.counts().in_processes, 0U);
}

TEST(Loading, AMissingLibraryIsSaid) {
  const fs::path folder = fast_folder() / "library";
  fs::create_directories(folder);
  std::ofstream(folder / "gone.c") << "int gone(void) { return 1; }\n";
  std::ofstream(folder / "main.c") << "int gone(void);\nint main(void) { return gone(); }\n";
  const std::string library = (folder / "libgone.so").string();
  ASSERT_EQ(
      std::system(
          ("clang-19 -shared -fPIC -o '" + library + "' '" + (folder / "gone.c").string() + "'").c_str()),
      0);
  const CompiledProgram program =
      compile_both({.name = "library", .files = {folder / "main.c"}, .flags = {library}});
  {
    FastRunner runner = make_fast_runner(program, 2, test_limits());
    EXPECT_EQ((*runner.run({}))[1].exit_code, 1);
    EXPECT_EQ(runner.counts().in_processes, 0U);
  }
  fs::remove(library);
  FastRunner runner = make_fast_runner(program, 2, test_limits());
  EXPECT_NE(runner.needs_processes().find("libgone.so"), std::string::npos) << runner.needs_processes();
  EXPECT_NE(runner.needs_processes().find("plain cannot live in one process"), std::string::npos);
}

TEST(Loading, AMissingFunctionIsTheLinkersError) {
  const fs::path file = fast_folder() / "nowhere.c";
  std::ofstream(file) << "int nowhere(void);\nint main(void) { return nowhere(); }\n";
  concolic::CompileRequest request;
  request.units.push_back({file.parent_path(), file, program::UnitLanguage::kC, {}});
  request.folder = fast_folder() / "nowhere";
  request.output = request.folder / "fast";
  const Expected<void> made = compile_fast_form(request);
  ASSERT_FALSE(made);
  EXPECT_NE(made.error().message.find("nowhere"), std::string::npos) << made.error().message;
}

TEST(Loading, FlagsOfTheProjectThatAreAgainstItAreLeftOut) {
  const fs::path file = fast_folder() / "flags.c";
  std::ofstream(file) << "#include <stdio.h>\nint main(void) { puts(\"here\"); return 5; }\n";
  concolic::CompileRequest request;
  request.units.push_back({file.parent_path(),
                           file,
                           program::UnitLanguage::kC,
                           {"-flto", "-O3", "-fno-pie", "-fvisibility=hidden", "-D_FORTIFY_SOURCE=2"}});
  request.folder = fast_folder() / "flags";
  request.output = request.folder / "fast";
  request.link_arguments = {"-flto=thin", "-static", "-no-pie", "-s", "-Wl,--gc-sections"};
  const Expected<void> made = compile_fast_form(request);
  ASSERT_TRUE(made) << made.error().message;
  FastRunner runner = make_fast_runner({request.output, request.output}, 2, test_limits());
  ASSERT_EQ(runner.needs_processes(), "");
  EXPECT_EQ((*runner.run({}))[1].out, "here\n");
  EXPECT_EQ(runner.counts().in_processes, 0U);
}

// A fixed address is taken once. Such a program runs in processes.
TEST(Loading, AnExecutableThatCannotBeLoadedTwiceRunsInProcesses) {
  CompiledProgram program =
      compile_text("fixed", "int main(int count, char** arguments) { return count; }\n");
  const std::string source = (fast_folder() / "fixed.c").string();
  program.fast = fast_folder() / "fixed.exe";
  ASSERT_EQ(
      std::system(("clang-19 -no-pie -fno-pie -o '" + program.fast.string() + "' '" + source + "'").c_str()),
      0);
  FastRunner runner = make_fast_runner(program, 2, test_limits());
  EXPECT_NE(runner.needs_processes().find("has a fixed address"), std::string::npos)
      << runner.needs_processes();
  ProgramInput input;
  input.arguments = {"a", "b"};
  const auto runs = runner.run(input);
  ASSERT_TRUE(runs);
  EXPECT_EQ((*runs)[0].exit_code, 3);
  EXPECT_TRUE(behave_the_same((*runs)[0], (*runs)[1]));
  EXPECT_EQ(runner.counts().in_processes, 2U);
}

TEST(Loading, APlaceIsFreeAgainWhenAProgramGoes) {
  const CompiledProgram program =
      compile_text("small", "int main(int count, char** arguments) { return count; }\n");
  for (int i = 0; i < 40; ++i) {
    FastRunner runner = make_fast_runner(program, 3, test_limits());
    ASSERT_EQ(runner.needs_processes(), "");
    ASSERT_EQ((*runner.run({}))[2].exit_code, 1);
  }
}

}  // namespace
}  // namespace heddle::fast
