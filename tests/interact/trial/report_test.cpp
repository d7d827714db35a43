#include <gtest/gtest.h>

#include "interact/trial/behaviour.h"
#include "interact/trial/report.h"
#include "programs.h"

namespace heddle::interact {
namespace {

const std::vector<Frame>& named_in_test(const std::string& module, uint64_t offset) {
  static const std::vector<Frame> interceptor = {{"__interceptor_strcpy", "", "", 0, 0}};
  static const std::vector<Frame> own = {{"copy_name", "", "/home/u/src/names.c", 12, 3}};
  static const std::vector<Frame> unknown = {{"prog+0x9", "", "", 0, 0}};
  EXPECT_EQ(module, "/p/prog");
  return offset == 0x10 ? interceptor : offset == 0x20 ? own : unknown;
}

SplitErrors split(std::string_view err) {
  return split_errors(err, "/p/prog", named_in_test);
}

TEST(Report, NamesTheFirstFrameOfTheProgramsOwnCode) {
  const SplitErrors errors = split(
      "before\n"
      "=================================================================\n"
      "==7==ERROR: AddressSanitizer: stack-buffer-overflow on address 0x7ffc at pc 0x1 bp 0x2 sp 0x3\n"
      "WRITE of size 1 at 0x7ffc thread T0\n"
      "    #0 0x7f11  (/lib/libasan.so.8+0x777) (BuildId: aa)\n"
      "    #1 0x5555  (/p/prog+0x10) (BuildId: bb)\n"
      "    #2 0x5556  (/p/prog+0x20) (BuildId: bb)\n"
      "    #3 0x5557  (/p/prog+0x30)\n"
      "\n"
      "Address 0x7ffc is located in stack\n"
      "SUMMARY: AddressSanitizer: stack-buffer-overflow (/p/prog+0x20)\n"
      "==7==ABORTING\n"
      "after\n");
  EXPECT_EQ(errors.rest, "before\nafter\n");
  EXPECT_EQ(errors.report, "stack-buffer-overflow in copy_name at names.c:12");
}

TEST(Report, KindsAreWithoutAddresses) {
  const auto kind = [](const std::string& text) {
    return split("==12==ERROR: AddressSanitizer: " + text + "\n==12==ABORTING\n").report;
  };
  EXPECT_EQ(kind("SEGV on unknown address 0x000000000000 (pc 0x55 bp 0x7f T0)"), "SEGV");
  EXPECT_EQ(kind("attempting double-free on 0x602 in thread T0:"), "double-free");
  EXPECT_EQ(kind("attempting free on address which was not malloc()-ed: 0x7ff in thread T0"), "bad-free");
  EXPECT_EQ(kind("alloc-dealloc-mismatch (operator new vs free) on 0x602"), "alloc-dealloc-mismatch");
  EXPECT_EQ(kind("negative-size-param: (size=-1)"), "negative-size-param");
  EXPECT_EQ(kind("memcpy-param-overlap: memory ranges [0x1,0x2) and [0x3,0x4) overlap"),
            "memcpy-param-overlap");
}

TEST(Report, TakesUndefinedBehaviourAndAssertions) {
  const SplitErrors errors = split(
      "one\n"
      "/home/u/a.c:3:5: runtime error: signed integer overflow: 2147483647 + 1 cannot be represented\n"
      "    #0 0x5556  (/p/prog+0x20)\n"
      "    #1 0x5557  (/p/prog+0x30)\n"
      "\n"
      "two\n"
      "a.c:9:2: runtime error: load of misaligned address 0x7ffd for type 'int', which requires 4\n"
      "0x7ffd: note: pointer points here\n"
      " 00 01 02 03\n"
      "     ^ \n"
      "prog: dir/b.c:44: take: Assertion `n > 0' failed.\n"
      "/usr/include/c++/12/bits/stl_vector.h:1123: reference std::vector<int>::operator[](size_type): "
      "Assertion '__n < this->size()' failed.\n"
      "three: 4: Assertion is not one\n");
  EXPECT_EQ(errors.rest, "one\ntwo\nthree: 4: Assertion is not one\n");
  EXPECT_EQ(errors.report,
            "signed integer overflow in copy_name at a.c:3; load of misaligned address at a.c:9; assertion "
            "`n > 0' failed in take at b.c:44; assertion '__n < this->size()' failed in reference "
            "std::vector<int>::operator[](size_type) at stl_vector.h:1123");
}

TEST(Report, LinesMayMoveFunctionsAndKindsMayNot) {
  EXPECT_TRUE(is_same_report("heap-buffer-overflow in f at a.c:3", "heap-buffer-overflow in f at a.c:31"));
  EXPECT_FALSE(is_same_report("heap-buffer-overflow in f at a.c:3", "heap-buffer-overflow in g at a.c:3"));
  EXPECT_FALSE(is_same_report("heap-buffer-overflow in f at a.c:3", "SEGV in f at a.c:3"));
  EXPECT_FALSE(is_same_report("", "SEGV"));
}

TEST(Report, OfRealSanitizersIsTheSameEachTime) {
  const std::string source = R"(
    #include <stdio.h>
    #include <stdlib.h>
    #include <string.h>
    static int third(int* at) { return at[3]; }
    int main(int argc, char** argv) {
      char small[4];
      if (argc == 2) return third(malloc(4 * sizeof(int) - 2));
      if (argc == 3) { strcpy(small, argv[2]); puts(small); }
      int most = 2147483647;
      printf("%d\n", most + argc);
    }
  )";
  ProgramRunner runner = make_runner(
      compile_program("reporting", source, "-O1 -fno-inline -fno-builtin -fsanitize=address,undefined"));
  for (const unsigned variation : {0U, 1U, 2U}) {
    const Behaviour heap = run_program(runner, {{"x"}, "", ""}, variation);
    EXPECT_EQ(heap.report, "heap-buffer-overflow in third at reporting.c:5");
    EXPECT_EQ(heap.err, "");
    const Behaviour stack = run_program(runner, {{"x", "too long for it"}, "", ""}, variation);
    EXPECT_EQ(stack.report, "stack-buffer-overflow in main at reporting.c:9");
    const Behaviour undefined = run_program(runner, {}, variation);
    EXPECT_EQ(undefined.report, "signed integer overflow in main at reporting.c:11");
    EXPECT_EQ(undefined.out, "-2147483648\n");
    EXPECT_EQ(undefined.err, "");
  }
}

}  // namespace
}  // namespace heddle::interact
