#include <chrono>
#include <csignal>

#include <gtest/gtest.h>

#include "interact/trial/differential.h"
#include "programs.h"

namespace heddle::interact {
namespace {

using concolic::ProgramInput;

VersionPrograms version_of(const std::string& name, const std::string& source, bool with_guarded = false) {
  VersionPrograms version;
  version.name = name;
  version.plain = compile_program(name, source);
  if (with_guarded) version.guarded = compile_program(name + "-guarded", source, "-O1 -fsanitize=address");
  return version;
}

Differential make_differential(DifferentialOptions options) {
  options.folder = trial_folder() / "differential";
  // They all end; the machine may be slow.
  if (options.limits.timeout == RunLimits().timeout) options.limits.timeout = std::chrono::seconds(20);
  Expected<Differential> made = Differential::create(std::move(options));
  if (!made) {
    ADD_FAILURE() << made.error().message;
    std::abort();
  }
  return std::move(*made);
}

// Of an input that was tried and, whether it differs or not, confirmed.
struct Tried {
  Differing differing;
  Difference difference = Difference::kSame;
};

Tried try_and_confirm(Differential& differential, const ProgramInput& input) {
  const Expected<Differing> differing = differential.try_input(input);
  if (!differing) {
    ADD_FAILURE() << differing.error().message;
    return {};
  }
  Tried tried{*differing};
  const Expected<Difference> difference = differential.confirm(&tried.differing);
  if (!difference)
    ADD_FAILURE() << difference.error().message;
  else
    tried.difference = *difference;
  return tried;
}

// What programs depend on that nobody wants to be told of. argv[2] is the version, so that both are certain
// to differ when they are first run, if they differ at all by that.
constexpr const char* kUnstable = R"(
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <sys/time.h>
#include <sys/random.h>
#include <unistd.h>
extern char** environ;
__attribute__((noinline)) unsigned sum(const unsigned* values, int count) {
  unsigned result = 0;
  for (int i = 0; i < count; ++i) result += values[i] * (i + 1);
  return result;
}
__attribute__((noinline)) unsigned unset(void) {
  unsigned values[40];
  __asm__ volatile("" : : "r"(values) : "memory");
  return sum(values, 40);
}
int main(int argc, char** argv) {
  const char* what = argv[1];
  unsigned value = 0;
  struct timeval now;
  struct timespec clock;
  char folder[4096];
  int here;
  if (!strcmp(what, "time")) value = time(NULL);
  if (!strcmp(what, "year")) { time_t t = time(NULL); value = gmtime(&t)->tm_year; }
  if (!strcmp(what, "day")) { gettimeofday(&now, NULL); value = now.tv_sec / 86400; }
  if (!strcmp(what, "uptime")) { clock_gettime(CLOCK_MONOTONIC, &clock); value = clock.tv_sec / 3600; }
  if (!strcmp(what, "pid")) value = getpid();
  if (!strcmp(what, "stack address")) value = (uintptr_t)&here >> 4;
  if (!strcmp(what, "heap address")) value = (uintptr_t)malloc(10) >> 4;
  if (!strcmp(what, "code address")) value = (uintptr_t)&main >> 4;
  if (!strcmp(what, "stack")) value = unset();
  if (!strcmp(what, "heap")) value = sum(malloc(100), 25);
  if (!strcmp(what, "freed heap")) { char* a = malloc(64); memset(a, 'x', 64); free(a); value = sum(malloc(64), 16); }
  if (!strcmp(what, "random")) getrandom(&value, sizeof value, 0);
  if (!strcmp(what, "random bit")) { getrandom(&value, sizeof value, 0); value &= 1; }
  if (!strcmp(what, "folder length")) value = strlen(getcwd(folder, sizeof folder));
  if (!strcmp(what, "environment")) for (char** v = environ; *v; ++v) value += strlen(*v);
#ifdef HEAD
  value = value * 2654435761u + 12345;  /* not what the base prints, if it is not fixed */
#endif
  if (!strcmp(what, "nothing")) value = 1;
  printf("%u\n", value);
  return 0;
}
)";

TEST(Differential, UnstableProgramsNeverDiffer) {
  DifferentialOptions options;
  options.base = version_of("unstable-base", kUnstable);
  options.head = version_of("unstable-head", std::string("#define HEAD\n") + kUnstable);
  Differential differential = make_differential(std::move(options));
  for (const char* what :
       {"time", "year", "day", "uptime", "pid", "stack address", "heap address", "code address", "stack",
        "heap", "freed heap", "random", "random bit", "folder length", "environment"}) {
    const Tried tried = try_and_confirm(differential, {{what}, "", ""});
    EXPECT_EQ(tried.difference, Difference::kUnstable) << what;
    EXPECT_TRUE(tried.differing.aspects.empty()) << what;
  }
  EXPECT_EQ(try_and_confirm(differential, {{"nothing"}, "", ""}).difference, Difference::kSame);
  // The same program, but for a constant.
  EXPECT_EQ(try_and_confirm(differential, {{"other"}, "", ""}).difference, Difference::kDiffers);
}

TEST(Differential, AStableAspectOfAnUnstableProgramCounts) {
  const std::string source = R"(
    #include <stdio.h>
    #include <time.h>
    int main(int argc, char** argv) { fprintf(stderr, "%ld\n", (long)time(0)); puts(argc > LIMIT ? "many" : "few"); }
  )";
  DifferentialOptions options;
  options.base = version_of("clock-base", "#define LIMIT 1\n" + source);
  options.head = version_of("clock-head", "#define LIMIT 2\n" + source);
  Differential differential = make_differential(std::move(options));
  const Tried tried = try_and_confirm(differential, {{"x"}, "", ""});
  EXPECT_EQ(tried.difference, Difference::kDiffers);
  EXPECT_EQ(tried.differing.aspects, std::vector<Aspect>{Aspect::kOut});
  EXPECT_EQ(tried.differing.unstable, std::vector<Aspect>{Aspect::kErr});
}

// A threshold that moved, and an index that is one too large.
constexpr const char* kSum = R"(
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char** argv) {
  volatile int* table = malloc(4 * sizeof(int));
  for (int i = 0; i < 4; ++i) table[i] = i;
  int at = argc > 1 ? atoi(argv[1]) : 0;
  if (at > 4 || (at > 3 && VERSION != 1)) { fprintf(stderr, "%s: no %d\n", argv[0], at); return 2; }
  printf("%d\n", at > 2 && VERSION == 2 ? -1 : table[at] * (at < 4) + 4 * (at == 4));
  free((int*)table);
  return VERSION == 2 && at == 1;
}
)";

std::string sum_version(int number) {
  // The lines of the head are others.
  return "#define VERSION " + std::to_string(number) + std::string(static_cast<size_t>(number), '\n') + "\n" +
         kSum;
}

TEST(Differential, TellsWhatDiffers) {
  DifferentialOptions options;
  options.base = version_of("sum-base", sum_version(0));
  options.head = version_of("sum-head", sum_version(2));
  options.golden = {options.base, options.head, version_of("sum-golden", sum_version(1))};
  Differential differential = make_differential(std::move(options));
  const Tried out = try_and_confirm(differential, {{"3"}, "", ""});
  EXPECT_EQ(out.difference, Difference::kDiffers);
  EXPECT_EQ(out.differing.aspects, std::vector<Aspect>{Aspect::kOut});
  EXPECT_EQ(out.differing.head.out, "-1\n");
  EXPECT_EQ(
      differential.judge(out.differing),
      (std::vector<Judgement>{Judgement::kRegression, Judgement::kProgression, Judgement::kRegression}));
  const Tried exit = try_and_confirm(differential, {{"1"}, "", ""});
  EXPECT_EQ(exit.differing.aspects, std::vector<Aspect>{Aspect::kExit});
  EXPECT_EQ(try_and_confirm(differential, {{"2"}, "", ""}).difference, Difference::kSame);
  EXPECT_EQ(try_and_confirm(differential, {{"9"}, "", ""}).difference, Difference::kSame);
  EXPECT_GT(differential.executions(), 20U);
}

TEST(Differential, ASanitizersReportOfTheHeadIsAnError) {
  DifferentialOptions options;
  options.base = version_of("guard-base", sum_version(0), true);
  options.head = version_of("guard-head", sum_version(1), true);
  Differential differential = make_differential(std::move(options));
  const Tried tried = try_and_confirm(differential, {{"4"}, "", ""});
  EXPECT_EQ(tried.difference, Difference::kError);
  EXPECT_EQ(tried.differing.head.report, "heap-buffer-overflow in main at guard-head-guarded.c:11");
  EXPECT_EQ(tried.differing.base.report, "");
  EXPECT_EQ(differential.judge(tried.differing), std::vector<Judgement>{Judgement::kError});
  EXPECT_EQ(try_and_confirm(differential, {{"1"}, "", ""}).difference, Difference::kSame);
}

TEST(Differential, OtherBehaviourOfGuardedFormsIsNoDifference) {
  // Each takes more memory than it may have when it is guarded, and the head's frames are deeper.
  const std::string source = R"(
    #include <stdio.h>
    #include <stdlib.h>
    #include <string.h>
    int deep(int n) { volatile char room[SIZE]; room[0] = n; return n == 0 ? 0 : deep(n - 1) + room[0] * 0 + 1; }
    int main(int argc, char** argv) {
      size_t got = 0;
      if (argc > 1) for (int i = 0; i < 40; ++i) { char* p = malloc(1 << 20); if (p) { memset(p, 1, 1 << 20); got += (size_t)1 << 20; } }
      printf("%d %zu %d\n", deep(10000), got, SIZE);
    }
  )";
  DifferentialOptions options;
  options.base = version_of("deep-base", "#define SIZE 16\n" + source, true);
  options.head = version_of("deep-head", "#define SIZE 600\n" + source, true);
  options.limits.memory = uint64_t{60} << 20;
  Differential differential = make_differential(std::move(options));
  for (const ProgramInput& input : {ProgramInput{{}, "", ""}, ProgramInput{{"x"}, "", ""}}) {
    const Tried tried = try_and_confirm(differential, input);
    EXPECT_EQ(tried.difference, Difference::kDiffers);
    EXPECT_EQ(tried.differing.aspects, std::vector<Aspect>{Aspect::kOut});
    EXPECT_EQ(tried.differing.head.report, "");
  }
}

TEST(Differential, ACrashOfTheHeadIsAnErrorAndOneThatMovedIsNone) {
  const std::string source = R"(
    #include <assert.h>
    #include <stdlib.h>
    int main(int argc, char** argv) { assert(argc < 3); if (argc == 2 && HEAD) abort(); return 0; }
  )";
  DifferentialOptions options;
  options.base = version_of("abort-base", "#define HEAD 0\n" + source);
  options.head = version_of("abort-head", "#define HEAD 1\n\n\n" + source);
  options.head.plain = compile_program("abort-head", "#define HEAD 1\n\n\n" + source);
  Differential differential = make_differential(std::move(options));
  EXPECT_EQ(try_and_confirm(differential, {{"1"}, "", ""}).difference, Difference::kError);
  const Tried both = try_and_confirm(differential, {{"1", "2"}, "", ""});
  EXPECT_EQ(both.differing.head.signal, SIGABRT);
  // The file's name is another here, as it is not between versions.
  EXPECT_NE(both.differing.head.report.find("assertion `argc < 3' failed in main"), std::string::npos);
}

TEST(Differential, WhatDoesNotEndInOneVersionDiffersInTime) {
  const std::string source = "int main(int argc, char** argv) { while (argc > LIMIT); return 0; }";
  DifferentialOptions options;
  options.base = version_of("loop-base", "#define LIMIT 2\n" + source);
  options.head = version_of("loop-head", "#define LIMIT 1\n" + source);
  options.limits.timeout = std::chrono::milliseconds(400);
  Differential differential = make_differential(std::move(options));
  const Tried one = try_and_confirm(differential, {{"1"}, "", ""});
  EXPECT_EQ(one.difference, Difference::kDiffers);
  EXPECT_EQ(one.differing.aspects, std::vector<Aspect>{Aspect::kTime});
  const Expected<Differing> both = differential.try_input({{"1", "2"}, "", ""});
  ASSERT_TRUE(both);
  EXPECT_TRUE(both->aspects.empty());
}

TEST(Differential, IgnoredLinesAreNotCompared) {
  const std::string source = R"(
    #include <stdio.h>
    int main(int argc, char** argv) { printf("version %s\nsame\n%s", VERSION, argc > 1 ? VERSION : ""); }
  )";
  DifferentialOptions options;
  options.base = version_of("named-base", "#define VERSION \"1.0\"\n" + source);
  options.head = version_of("named-head", "#define VERSION \"1.1\"\n" + source);
  options.ignored.patterns = {"^version [0-9.]+$"};
  Differential differential = make_differential(std::move(options));
  EXPECT_EQ(try_and_confirm(differential, {{}, "", ""}).difference, Difference::kSame);
  EXPECT_EQ(try_and_confirm(differential, {{"x"}, "", ""}).difference, Difference::kDiffers);
  DifferentialOptions bad;
  bad.ignored.patterns = {"("};
  const Expected<Differential> refused = Differential::create(std::move(bad));
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message.find("'(' is not a regular expression"), std::string::npos);
}

}  // namespace
}  // namespace heddle::interact
