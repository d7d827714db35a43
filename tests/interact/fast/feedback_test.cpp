// What a run tells besides its outputs.
#include <algorithm>
#include <fstream>

#include <gtest/gtest.h>

#include "fast_programs.h"

namespace heddle::fast {
namespace {

using concolic::ProgramInput;

constexpr const char* kSource = R"(#include <stdio.h>
#include <stdlib.h>
int main(int count, char** arguments) {
  int sum = 0;
  for (int i = 1; i < count; ++i) {
    const int number = atoi(arguments[i]);
    if (number == 123456) { sum += 1; sum *= 3; }
    if (number > 10)
      sum += number;
    else
      sum -= number;
  }
  printf("%d\n", sum);
  return 0;
}
)";

class Feedback : public testing::Test {
 protected:
  Feedback() {
    const std::filesystem::path file = fast_folder() / "feedback.c";
    std::ofstream(file) << kSource;
    const std::string path = file.string();
    program_ = compile_both({.name = "feedback",
                             .files = {file},
                             .watched = {{path, 9, 0}, {path, 11, 0}, {path, 7, 27}, {path, 7, 37}}});
  }

  std::vector<uint32_t> marks(FastRunner& runner, const std::vector<std::string>& arguments) const {
    ProgramInput input;
    input.arguments = arguments;
    EXPECT_TRUE(runner.run(input));
    const auto found = runner.loaded(0)->marks();
    return {found.begin(), found.end()};
  }

  CompiledProgram program_;
};

TEST_F(Feedback, WatchedStatementsAreTheirPlacesInTheRequest) {
  FastRunner runner = make_fast_runner(program_);
  EXPECT_EQ(marks(runner, {"20", "5", "30"}), (std::vector<uint32_t>{0, 1, 0}));
  EXPECT_EQ(marks(runner, {"123456"}), (std::vector<uint32_t>{2, 3, 0}));
  EXPECT_EQ(marks(runner, {}), std::vector<uint32_t>{});
}

TEST_F(Feedback, CountersAreThoseOfTheLastRun) {
  FastRunner runner = make_fast_runner(program_);
  const auto edges = [&](const std::vector<std::string>& arguments) {
    marks(runner, arguments);
    const auto counters = runner.loaded(0)->counters();
    return std::vector<uint8_t>(counters.begin(), counters.end());
  };
  const std::vector<uint8_t> one = edges({"20"});
  const std::vector<uint8_t> three = edges({"20", "20", "20"});
  EXPECT_EQ(edges({"20"}), one);
  EXPECT_NE(one, three);
  EXPECT_NE(std::find(three.begin(), three.end(), 3), three.end());
  EXPECT_EQ(runner.loaded(0)->counter_places().size(), one.size());
}

TEST_F(Feedback, OperandsOfComparisonsAreGivenOnRequest) {
  FastRunner runner = make_fast_runner(program_);
  ProgramInput input;
  input.arguments = {"77"};
  const auto has_constant = [&] {
    const auto compares = runner.loaded(0)->compares();
    return std::any_of(compares.begin(), compares.end(), [](const HeddleFastCompare& compare) {
      return compare.left == 123456 && compare.right == 77 && compare.is_constant != 0;
    });
  };
  ASSERT_TRUE(runner.run(input, true));
  EXPECT_TRUE(has_constant());
  ASSERT_TRUE(runner.run(input));
  EXPECT_TRUE(runner.loaded(0)->compares().empty());
}

TEST(Texts, ThatAreComparedAreGivenOnRequest) {
  const CompiledProgram program = compile_text("texts", R"(
    #include <stdio.h>
    #include <string.h>
    #include <strings.h>
    int main(int count, char** arguments) {
      const char* const word = count > 1 ? arguments[1] : "";
      int (*const chosen)(const char*, const char*) = count > 2 ? strcmp : strcasecmp;
      printf("%d", strcmp(word, "subtract") == 0);
      printf("%d", strncasecmp(word, "ADDITION", 3) == 0);
      printf("%d", strlen(word) >= 4 && memcmp(word + 1, "b\0c", 3) == 0);
      printf("%d\n", chosen(word, "not seen") == 0);
      return 0;
    })");
  FastRunner runner = make_fast_runner(program);
  ProgramInput input;
  input.arguments = {"adding"};
  const auto runs = runner.run(input, true);
  ASSERT_TRUE(runs);
  EXPECT_EQ((*runs)[0].out, "0100\n");
  std::vector<std::pair<std::string, std::string>> found;
  for (const HeddleFastTexts& texts : runner.loaded(0)->texts())
    found.emplace_back(std::string(texts.left, texts.left_size), std::string(texts.right, texts.right_size));
  using namespace std::string_literals;
  EXPECT_EQ(found, (std::vector<std::pair<std::string, std::string>>{
                       {"adding", "subtract"}, {"add", "ADD"}, {"ddi", "b\0c"s}}));
  ASSERT_TRUE(runner.run(input));
  EXPECT_TRUE(runner.loaded(0)->texts().empty());
}

TEST(HeapDamage, IsSeenAndBehavesAsInAProcess) {
  const CompiledProgram program = compile_text("overflow", R"(
    #include <stdio.h>
    #include <stdlib.h>
    #include <string.h>
    int main(int count, char** arguments) {
      const char what = count > 1 ? arguments[1][0] : '-';
      const size_t size = count > 2 ? atoi(arguments[2]) : 24;
      char* const block = malloc(size);
      char* const other = calloc(3, 100);
      memset(block, 'x', size + (what == 'o' || what == 'k'));
      if (what == 'u') block[-1] = 0;
      block[size - 1] = '\0';
      printf("%zu %d\n", strlen(block), other[7]);
      if (what == 'k') return 0;  // never freed
      free(block);
      if (what == 'd') free(block);
      free(other);
      return 7;
    })");
  FastRunner fast = make_fast_runner(program, 2, test_limits());
  interact::ProgramRunner process = make_process(program, test_limits());
  for (const char* const size : {"1", "23", "24", "25", "1000", "1024", "1025", "3000", "70000", "262144",
                                 "300000", "33554400", "40000000"}) {
    for (const char* const what : {"-", "o", "k", "u", "d"}) {
      // What a process does with that is not known: the size of mapped memory is lost.
      if (*what == 'u' && std::atoi(size) > 33554400) continue;
      SCOPED_TRACE(std::string(what) + " " + size);
      ProgramInput input;
      input.arguments = {what, size};
      const Expected<interact::Behaviour> behaviour = process.run(input);
      ASSERT_TRUE(behaviour);
      const auto runs = fast.run(input);
      ASSERT_TRUE(runs);
      // Mapped blocks are not looked at in the end, and are gone when they are freed.
      const bool is_missed = (*what == 'k' || *what == 'd') && std::atoi(size) > 33554400;
      for (const VersionRun& run : *runs) {
        EXPECT_EQ(difference(run, *behaviour), "");
        EXPECT_EQ(run.damages_heap, *what != '-' && !is_missed);
      }
    }
  }
}

TEST(HeapDamage, NoneIsSeenInAProgramThatUsesItsHeapWell) {
  const CompiledProgram program = compile_text("heap", R"(
    #include <malloc.h>
    #include <stdint.h>
    #include <stdio.h>
    #include <stdlib.h>
    #include <string.h>
    static unsigned long state = 1;
    static size_t below(size_t limit) { return ((state = state * 6364136223846793005UL + 1) >> 33) % limit; }
    int main(int count, char** arguments) {
      static unsigned char* blocks[64];
      static size_t sizes[64];
      unsigned long sum = 0;
      if (count > 1) state = atoi(arguments[1]);
      for (int i = 0; i < 3000; ++i) {
        const size_t at = below(64);
        for (size_t j = 0; j < sizes[at]; ++j) sum += blocks[at][j] != (unsigned char)(at + j);
        const size_t size = below(40) == 0 ? below(400000) : below(3000);
        switch (below(4)) {
          case 0: free(blocks[at]); blocks[at] = malloc(size); break;
          case 1: free(blocks[at]); blocks[at] = calloc(1, size); for (size_t j = 0; j < size; ++j) sum += blocks[at][j]; break;
          case 2: blocks[at] = realloc(blocks[at], size + 1); break;
          case 3: free(blocks[at]);
            if (posix_memalign((void**)&blocks[at], 64 << below(5), size % 100000)) abort();
            sum += (uintptr_t)blocks[at] % 64; break;
        }
        sizes[at] = size % 100000;
        for (size_t j = 0; j < sizes[at]; ++j) blocks[at][j] = (unsigned char)(at + j);
      }
      printf("%lu\n", sum);
      return 0;
    })");
  FastRunner fast = make_fast_runner(program, 1, test_limits());
  for (int seed = 1; seed <= 10; ++seed) {
    ProgramInput input;
    input.arguments = {std::to_string(seed)};
    const auto runs = fast.run(input);
    ASSERT_TRUE(runs);
    EXPECT_EQ((*runs)[0].out, "0\n");
    EXPECT_FALSE((*runs)[0].damages_heap);
  }
  EXPECT_EQ(fast.counts().in_processes, 0U) << fast.counts().last_reason;
}

}  // namespace
}  // namespace heddle::fast
