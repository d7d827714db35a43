// Whatever a program does: what is seen of it here is what a process shows, the same again, and neither
// another version nor the runs behind it notice.
#include <algorithm>
#include <csignal>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "fast_programs.h"
#include "interact/fast/kernel/machine.h"

namespace heddle::fast {
namespace {

using concolic::ProgramInput;
using interact::Behaviour;

struct Deed {
  const char* kind;
  const char* what;
};

ProgramInput input_of(const Deed& deed) {
  ProgramInput input;
  input.arguments = {deed.kind, deed.what};
  input.standard_input = "12 3.5 word\nnext line";
  input.file = "first\nsecond\n";
  return input;
}

class Isolation : public testing::Test {
 protected:
  static const CompiledProgram& hostile() {
    static const CompiledProgram program =
        compile_both({.name = "hostile", .files = {HEDDLE_FAST_PROGRAMS "/hostile.c"}});
    return program;
  }
  static interact::ProgramRunner& process() {
    static interact::ProgramRunner runner = make_process(hostile(), test_limits());
    return runner;
  }
  static FastRunner& fast() {
    static FastRunner runner = make_fast_runner(hostile(), 2, test_limits());
    return runner;
  }

  static std::vector<std::string> differences(const ProgramInput& input, const Behaviour& behaviour) {
    const auto runs = fast().run(input);
    if (!runs) return {runs.error().message};
    std::vector<std::string> result;
    for (const VersionRun& run : *runs) result.push_back(difference(run, behaviour));
    return result;
  }

  // Returns how many executions needed a process.
  static uint64_t check(const std::vector<Deed>& deeds) {
    const std::vector<std::string> none = {"", ""};
    const ProgramInput ordinary = input_of({"nothing", "special"});
    const Expected<Behaviour> usual = process().run(ordinary);
    EXPECT_TRUE(usual);
    EXPECT_EQ(fast().needs_processes(), "");
    const uint64_t before = fast().counts().in_processes;
    for (const Deed& deed : deeds) {
      SCOPED_TRACE(std::string(deed.kind) + " " + deed.what);
      const ProgramInput input = input_of(deed);
      const Expected<Behaviour> behaviour = process().run(input);
      EXPECT_TRUE(behaviour);
      EXPECT_EQ(differences(input, *behaviour), none);
      EXPECT_EQ(differences(ordinary, *usual), none);
      EXPECT_EQ(differences(input, *behaviour), none);
      EXPECT_EQ(differences(ordinary, *usual), none);
    }
    return fast().counts().in_processes - before;
  }
};

TEST_F(Isolation, ScribblingEndsTheRunAndNothingElse) {
  EXPECT_EQ(check({{"damage", "up"},
                   {"damage", "down"},
                   {"damage", "stack"},
                   {"damage", "heap"},
                   {"damage", "far"},
                   {"damage", "streams"},
                   {"damage", "code"},
                   {"damage", "constant"},
                   {"damage", "null"},
                   {"damage", "jump"},
                   {"damage", "noncanonical"}}),
            0U);
}

TEST_F(Isolation, FilesAreThoseOfAProcess) {
  EXPECT_EQ(check({{"files", "close"},
                   {"files", "closed"},
                   {"files", "reopen"},
                   {"files", "swap"},
                   {"files", "read"},
                   {"files", "missing"},
                   {"files", "seek"},
                   {"files", "numbers"},
                   {"files", "unbuffered"},
                   {"files", "raw"},
                   {"files", "wrong"}}),
            0U);
}

TEST_F(Isolation, MemoryIsThatOfAProcess) {
  EXPECT_EQ(check({{"memory", "leak"},
                   {"memory", "huge"},
                   {"memory", "large"},
                   {"memory", "reuse"},
                   {"memory", "unset"},
                   {"memory", "end"},
                   {"memory", "again"},
                   {"memory", "mapped"}}),
            0U);
}

TEST_F(Isolation, EndsAreThoseOfAProcess) {
  EXPECT_EQ(check({{"ends", "abort"},
                   {"ends", "assert"},
                   {"ends", "nested"},
                   {"ends", "handlers"},
                   {"ends", "quick"},
                   {"ends", "at once"},
                   {"ends", "negative"},
                   {"ends", "recursion"},
                   {"ends", "deep"},
                   {"ends", "loop"},
                   {"ends", "output"},
                   {"ends", "errors"},
                   {"ends", "longjmp"},
                   {"ends", "divide"},
                   {"ends", "trap"},
                   {"ends", "raise"},
                   {"ends", "ignored"},
                   {"ends", "kill"},
                   {"ends", "alarm"}}),
            0U);
}

TEST_F(Isolation, SurroundingsAreThoseOfAProcess) {
  EXPECT_EQ(check({{"surroundings", "environment locale"},
                   {"surroundings", "umask"},
                   {"surroundings", "time zone"},
                   {"surroundings", "clock"},
                   {"surroundings", "names"}}),
            0U);
}

TEST_F(Isolation, WhatCannotBeImitatedRunsInProcesses) {
  const std::vector<Deed> deeds = {
      {"files", "write"},         {"files", "append"},      {"files", "remove"},
      {"files", "list"},          {"files", "many"},        {"memory", "all"},
      {"ends", "handler"},        {"ends", "own handler"},  {"surroundings", "folder"},
      {"surroundings", "thread"}, {"surroundings", "fork"}, {"surroundings", "system"}};
  // Each twice, in both versions.
  EXPECT_EQ(check(deeds), deeds.size() * 4);
}

TEST_F(Isolation, ItIsSaidWhyAProcessIsNeeded) {
  const auto reason = [](const Deed& deed) {
    EXPECT_TRUE(fast().run(input_of(deed)));
    return fast().counts().last_reason;
  };
  EXPECT_EQ(reason({"files", "write"}), "it makes a file");
  EXPECT_EQ(reason({"files", "remove"}), "it removes files");
  EXPECT_EQ(reason({"surroundings", "thread"}), "it starts threads or processes");
  EXPECT_EQ(reason({"ends", "handler"}), "it handles signals");
}

// Nobody knows what is there, but it must not depend on what other runs have left.
TEST_F(Isolation, StaleMemoryDoesNotShow) {
  const CompiledProgram program = compile_text("stale", R"(
    #include <stdio.h>
    #include <stdlib.h>
    #include <string.h>
    __attribute__((noinline)) unsigned long sum(void) {
      volatile char room[4000];
      unsigned long result = 0;
      for (int i = 0; i < 4000; ++i) result = result * 31 + (unsigned char)room[i];
      return result;
    }
    __attribute__((noinline)) void fill(char with) {
      volatile char room[6000];
      for (int i = 0; i < 6000; ++i) room[i] = with;
    }
    int main(int count, char** arguments) {
      unsigned long heap = 0;
      volatile unsigned char* block = malloc(5000);
      for (int i = 0; i < 5000; ++i) heap = heap * 31 + block[i];
      printf("%lu %lu\n", sum(), heap);
      if (count > 1) {
        fill(arguments[1][0]);
        memset((void*)block, arguments[1][0], 5000);
      }
    })");
  FastRunner runner = make_fast_runner(program, 1, test_limits());
  ProgramInput plain;
  ProgramInput filling;
  filling.arguments = {"x"};
  const std::string first((*runner.run(plain))[0].out);
  EXPECT_TRUE(runner.run(filling));
  EXPECT_EQ((*runner.run(plain))[0].out, first);
  EXPECT_EQ(runner.counts().in_processes, 0U);
}

TEST_F(Isolation, NeedsNoInstructionsForTheThreadRegister) {
  ProgramOptions options;
  options.program = hostile().fast;
  options.program_name = "PROGRAM";
  options.file_name = "data";
  options.environment = usual_environment();
  options.without_thread_instructions = true;
  Expected<LoadedProgram> program = LoadedProgram::load(std::move(options));
  ASSERT_TRUE(program) << program.error().message;
  for (const Deed& deed : {Deed{"nothing", "special"}, Deed{"damage", "up"}, Deed{"files", "raw"}}) {
    const ProgramInput input = input_of(deed);
    const auto runs = fast().run(input);
    ASSERT_TRUE(runs);
    const ProgramRun run = program->run(input);
    EXPECT_EQ(run.end, (*runs)[0].end);
    EXPECT_EQ(run.out, (*runs)[0].out);
  }
}

TEST_F(Isolation, ManyRunsOfAllKindsLeaveNothingBehind) {
  const std::vector<Deed> deeds = {{"damage", "stack"}, {"damage", "heap"}, {"memory", "unset"},
                                   {"ends", "deep"},    {"ends", "abort"},  {"memory", "reuse"}};
  const ProgramInput ordinary = input_of({"nothing", "special"});
  const Expected<Behaviour> usual = process().run(ordinary);
  ASSERT_TRUE(usual);
  const std::vector<std::string> none = {"", ""};
  for (int i = 0; i < 3000; ++i) {
    if (i % 20 == 0) {
      ASSERT_TRUE(fast().run(input_of(deeds[static_cast<size_t>(i) / 20 % deeds.size()])));
    }
    ASSERT_EQ(differences(ordinary, *usual), none);
  }
}

TEST_F(Isolation, AnUnusualRunDoesNotMakeOthersSlow) {
  FastRunner runner = make_fast_runner(hostile(), 1, test_limits());
  const ProgramInput ordinary = input_of({"nothing", "special"});
  const auto pages = [&](const ProgramInput& input) {
    EXPECT_TRUE(runner.run(input));
    return runner.loaded(0)->costs().restored_pages;
  };
  for (int i = 0; i < 40; ++i) pages(ordinary);
  const size_t usual = pages(ordinary);
  pages(input_of({"ends", "deep"}));
  EXPECT_LE(pages(ordinary), usual);
  EXPECT_EQ(pages(ordinary), usual);
  EXPECT_EQ(runner.loaded(0)->costs().faults, 0U);
  // What is usual is kept, even if it is much.
  for (int i = 0; i < 20; ++i) pages(input_of({"memory", "leak"}));
  EXPECT_GT(pages(input_of({"memory", "leak"})), 100U);
  EXPECT_LT(runner.loaded(0)->costs().faults, 8U);
}

// Programs do not know these addresses. One that guesses them is told them here.
class Damage : public testing::Test {
 protected:
  static ProgramInput write_to(const void* address) {
    ProgramInput input;
    input.arguments = {std::to_string(reinterpret_cast<uintptr_t>(address))};
    return input;
  }
  static LoadedProgram writer() {
    static const CompiledProgram program = compile_text("writer", R"(
      #include <stdlib.h>
      int main(int count, char** arguments) {
        *(volatile unsigned long*)strtoul(arguments[1], NULL, 10) ^= 0x1000;
        return 7;
      })");
    ProgramOptions options;
    options.program = program.fast;
    options.program_name = "PROGRAM";
    Expected<LoadedProgram> loaded = LoadedProgram::load(std::move(options));
    EXPECT_TRUE(loaded);
    return std::move(*loaded);
  }
};

TEST_F(Damage, WhatProgramsBeginWithCannotBeWritten) {
  LoadedProgram program = writer();
  const Region& region = heddle_fast_current->regions[1];
  const uint8_t* const origin =
      *std::find_if(region.origins, region.origins + (region.end - region.begin) / kPage,
                    [](const uint8_t* page) { return page != nullptr; });
  for (const void* const address :
       {static_cast<const void*>(origin), static_cast<const void*>(region.origins)}) {
    const ProgramRun run = program.run(write_to(address));
    EXPECT_EQ(run.end, RunEnd::kSignal);
    EXPECT_EQ(run.signal, SIGSEGV);
  }
}

TEST_F(Damage, OfTheHostIsSeenBeforeTheNextRun) {
  LoadedProgram program = writer();
  const ProgramRun run = program.run(write_to(&heddle_fast_current->regions[0].end));
  EXPECT_EQ(run.exit_code, 7);
  EXPECT_EXIT(program.run({}), testing::ExitedWithCode(3), "seal");
  heddle_fast_current->regions[0].end ^= 0x1000;
}

TEST_F(Damage, OfAnotherVersionIsRepairedBeforeItRuns) {
  LoadedProgram first = writer();
  LoadedProgram second = writer();
  int unused = 0;
  EXPECT_EQ(second.run(write_to(&unused)).exit_code, 7);
  // The second one's pages that can be written are those it has used.
  const auto address = reinterpret_cast<const void*>(heddle_fast_current->used[0].address);
  const uint8_t before = *static_cast<const volatile uint8_t*>(static_cast<const uint8_t*>(address) + 1);
  EXPECT_EQ(first.run(write_to(address)).exit_code, 7);
  EXPECT_NE(*static_cast<const volatile uint8_t*>(static_cast<const uint8_t*>(address) + 1), before);
  EXPECT_EQ(second.run(write_to(&unused)).exit_code, 7);
  EXPECT_EQ(*static_cast<const volatile uint8_t*>(static_cast<const uint8_t*>(address) + 1), before);
}

}  // namespace
}  // namespace heddle::fast
