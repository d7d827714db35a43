#include <chrono>
#include <csignal>

#include <gtest/gtest.h>

#include "programs.h"

namespace heddle::interact {
namespace {

using concolic::ProgramInput;

constexpr const char* kPolite = R"(
#include <assert.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
extern char** environ;
int main(int argc, char** argv) {
  if (argc < 2) { fprintf(stderr, "usage: %s WHAT\n%s: too few\n", argv[0], argv[0]); return 2; }
  char text[4096] = "";
  if (!strcmp(argv[1], "copy")) {
    fread(text, 1, sizeof text - 1, stdin);
    printf("%s|%d", text, argc);
    for (int i = 2; i < argc; ++i) printf("|%s", argv[i]);
  } else if (!strcmp(argv[1], "file")) {
    FILE* in = fopen("data.txt", "r");
    fread(text, 1, sizeof text - 1, in);
    puts(text);
  } else if (!strcmp(argv[1], "change")) {
    FILE* out = fopen("data.txt", "a"); fputs("more", out); fclose(out);
    mkdir("sub", 0700); out = fopen("sub/new", "w"); fprintf(out, "%s: %s", argv[0], getcwd(text, sizeof text)); fclose(out);
    symlink("data.txt", "link");
  } else if (!strcmp(argv[1], "remove")) {
    remove("data.txt");
  } else if (!strcmp(argv[1], "folder")) {
    printf("%s %s %s\n", getcwd(text, sizeof text), getenv("HOME"), getenv("TMPDIR"));
  } else if (!strcmp(argv[1], "crash")) {
    raise(SIGSEGV);
  } else if (!strcmp(argv[1], "assert")) {
    fputs("before\n", stderr);
    assert(argc == 7);
  } else if (!strcmp(argv[1], "environment")) {
    for (char** v = environ; *v; ++v) puts(*v);
  } else if (!strcmp(argv[1], "temporary")) {
    FILE* file = tmpfile(); puts(file ? "made" : "none");
  } else if (!strcmp(argv[1], "pid")) {
    printf("%d\n", getpid());
  }
  return 0;
}
)";

class PoliteProgram : public testing::Test {
 protected:
  static ProgramRunner& runner() {
    static ProgramRunner made = [] {
      RunLimits limits;
      limits.file_name = "data.txt";
      limits.timeout = std::chrono::seconds(20);
      return make_runner(compile_program("polite", kPolite), limits);
    }();
    return made;
  }
  static Behaviour run(std::vector<std::string> arguments, unsigned variation = 0) {
    return run_program(runner(), {std::move(arguments), "standard input", "file's text"}, variation);
  }
};

TEST_F(PoliteProgram, ReadsItsInput) {
  EXPECT_EQ(run({"copy", "", "two words", "\xff"}).out, "standard input|5||two words|\xff");
  EXPECT_EQ(run({"file"}).out, "file's text\n");
}

TEST_F(PoliteProgram, LeavesFiles) {
  const Behaviour behaviour = run({"change"});
  EXPECT_EQ(behaviour.files, (std::map<std::string, std::string>{{"data.txt", "file's textmore"},
                                                                 {"link", "-> data.txt"},
                                                                 {"sub/", ""},
                                                                 {"sub/new", "PROGRAM: FOLDER"}}));
  EXPECT_FALSE(behaviour.removed_input);
  EXPECT_TRUE(run({"file"}).files.empty()) << "an unchanged input file is none of them";
  EXPECT_TRUE(run({"remove"}).removed_input);
}

TEST_F(PoliteProgram, IsNotCalledByName) {
  const Behaviour behaviour = run({});
  EXPECT_EQ(behaviour.err, "usage: PROGRAM WHAT\nPROGRAM: too few\n");
  EXPECT_EQ(behaviour.exit_code, 2);
  EXPECT_FALSE(behaviour.is_failure());
}

TEST_F(PoliteProgram, SeesAnotherFolderInAVariationButShowsTheSame) {
  EXPECT_EQ(run({"folder"}).out, "FOLDER FOLDER FOLDER\n");
  EXPECT_EQ(run({"folder"}, 3).out, "FOLDER FOLDER FOLDER\n");
}

TEST_F(PoliteProgram, CrashesAndFailedAssertionsAreFailures) {
  const Behaviour crash = run({"crash"});
  EXPECT_EQ(crash.signal, SIGSEGV);
  EXPECT_TRUE(crash.is_failure());
  const Behaviour assertion = run({"assert"});
  EXPECT_EQ(assertion.signal, SIGABRT);
  EXPECT_EQ(assertion.err, "before\n");
  EXPECT_EQ(assertion.report.substr(0, 44), "assertion `argc == 7' failed in main at poli");
}

TEST_F(PoliteProgram, HasASmallFixedEnvironment) {
  const std::string text = run({"environment"}).out;
  EXPECT_EQ(text.find("PATH=/usr/bin:/bin\nLANG=C\n"), 0U) << text;
  EXPECT_EQ(text.find("TEST_TMPDIR"), std::string::npos);
}

TEST_F(PoliteProgram, CanMakeTemporaryFiles) {
  if (!runner().confinement().empty()) GTEST_SKIP() << runner().confinement();
  EXPECT_EQ(run({"temporary"}).out, "made\n");
}

TEST_F(PoliteProgram, HasTheSameNumberAgainButNotInAVariation) {
  if (!runner().confinement().empty()) GTEST_SKIP() << runner().confinement();
  const std::string usual = run({"pid"}).out;
  EXPECT_EQ(run({"pid"}).out, usual);
  EXPECT_NE(run({"pid"}, 1).out, usual);
}

TEST(ProgramRunner, SaysWhatIsNoProgram) {
  const Expected<ProgramRunner> none =
      ProgramRunner::create(trial_folder() / "missing", trial_folder() / "runs", {});
  ASSERT_FALSE(none);
  EXPECT_NE(none.error().message.find("is not a program that can be run"), std::string::npos);
  RunLimits limits;
  limits.file_name = "../data";
  EXPECT_FALSE(ProgramRunner::create("/bin/true", trial_folder() / "runs", limits));
}

TEST(ProgramRunner, Throughput) {
  ProgramRunner runner = make_runner(compile_program("trivial", "int main(void) { return 0; }"));
  constexpr int kRuns = 300;
  for (const unsigned variation : {0U, 1U}) {
    const auto begin = std::chrono::steady_clock::now();
    for (int i = 0; i < kRuns; ++i) ASSERT_EQ(run_program(runner, {}, variation).exit_code, 0);
    const std::chrono::duration<double, std::milli> time = std::chrono::steady_clock::now() - begin;
    std::printf("variation %u: %.2f ms a run\n", variation, time.count() / kRuns);
  }
}

}  // namespace
}  // namespace heddle::interact
