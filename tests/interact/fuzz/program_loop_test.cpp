// The loop in heddle-interact-host, on real programs: base and head are one program, which looks at its name.
#include <chrono>

#include <gtest/gtest.h>

#include "fast_programs.h"
#include "interact/fuzz/fast_tier.h"

namespace heddle::fuzz {
namespace {

using fast::compile_text;
using fast::CompiledProgram;

// Several programs in one, since compiling takes most of the time: which one is what the first argument says.
constexpr const char* kText = R"(
  #include <stdio.h>
  #include <stdlib.h>
  #include <string.h>
  #include <unistd.h>
  static int wrong(void) { puts(HEAD ? "head" : "base"); return 0; }
  int main(int count, char** arguments) {
    const char what = arguments[1][0];
    const char* const first = count > 2 ? arguments[2] : "";
    const char* const second = count > 3 ? arguments[3] : "";
    if (what == 't' && strtol(first, 0, 10) > 123456789) return wrong();
    if (what == 'o' && strcmp(first, "--quiet") == 0 && strcmp(second, "--limit") == 0) return wrong();
    if (what == 'k' && strcmp(first, "product") == 0 && atoi(second) == 31337) return wrong();
    if (what == 'm') {
      unsigned magic = 0;
      if (read(0, &magic, 4) == 4 && magic == 0xfeedbeefu) return wrong();
    }
    if (what == 's') {
      int armed = 0;
      for (const char* at = first; *at != 0; ++at) {
        if (*at == '<') armed = 1;
        if (*at == '>' && armed) return wrong();
      }
    }
    if (what == 'h') {  // gets the better of its host
      if (first[0] == 'l') for (;;) ;
      if (first[0] == 'w') memset((void*)&main, 0, 1 << 20);
      if (first[0] == 'r') return main(count, arguments);
      if (first[0] == 'm') while (malloc(1 << 24)) ;
      if (first[0] == 'c') { close(0); close(1); }
      if (strlen(first) == 3 && first[1] == 'q') return wrong();
    }
    printf("%d\n", count);
    return 0;
  })";

class ProgramLoop : public testing::Test {
 protected:
  static FastTier start(char what, const std::vector<std::string>& words = {}) {
    static const CompiledProgram base = compile_text("loop_base", "#define HEAD 0\n" + std::string(kText));
    static const CompiledProgram head = compile_text("loop_head", "#define HEAD 1\n" + std::string(kText));
    fast::FastOptions options;
    options.versions = {{base.fast, "", base.plain}, {head.fast, "", head.plain}};
    options.folder = fast::fast_folder() / "loop";
    options.limits = fast::test_limits();
    options.timeout = std::chrono::milliseconds(20);
    Expected<FastTier> tier = FastTier::create(std::move(options), [&](const std::vector<uint64_t>& places) {
      EXPECT_FALSE(places.empty());
      LoopSettings settings;
      settings.guidance = Guidance::kNone;
      settings.room.limits.arguments = {{1, 1}, {0, 12}, {0, 12}};
      settings.room.limits.least_arguments = 1;
      settings.room.limits.most_arguments = 3;
      settings.room.limits.longest_standard_input = 8;
      settings.room.limits.longest_file = 0;
      settings.room.fixed = {std::string(1, what), "", ""};
      settings.words = words;
      return settings;
    });
    if (!tier) {
      ADD_FAILURE() << tier.error().message;
      std::abort();
    }
    return std::move(*tier);
  }

  // Until something differs.
  static std::optional<FoundDifference> first_difference(FastTier tier, uint64_t most_executions,
                                                         uint64_t at_once = 20'000) {
    std::optional<FoundDifference> first;
    FastTier::Handlers handlers;
    handlers.differs = [&](const FoundDifference& found) {
      if (!first) first = found;
    };
    for (uint64_t executions = 0; executions < most_executions && !first; executions += at_once) {
      const auto report = tier.run_slice(slice(at_once), handlers);
      EXPECT_TRUE(report) << report.error().message;
    }
    return first;
  }

  static SliceRequest slice(uint64_t executions) {
    SliceRequest request;
    request.milliseconds = 600'000;
    request.most_executions = executions;
    return request;
  }
};

TEST_F(ProgramLoop, FindsANumberBeyondAThreshold) {
  const auto found = first_difference(start('t'), 200'000);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->input.arguments[1], "123456790");
}

TEST_F(ProgramLoop, FindsTwoOptionsInOrder) {
  const auto found = first_difference(start('o', {"--quiet", "--limit", "--other"}), 400'000);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->input.arguments, (std::vector<std::string>{"o", "--quiet", "--limit"}));
}

TEST_F(ProgramLoop, FindsAKeywordWithANumber) {
  const auto found = first_difference(start('k'), 400'000);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->input.arguments, (std::vector<std::string>{"k", "product", "31337"}));
}

TEST_F(ProgramLoop, FindsAMagicNumberInStandardInput) {
  const auto found = first_difference(start('m'), 400'000);
  ASSERT_TRUE(found);
  EXPECT_TRUE(found->input.standard_input.starts_with("\xef\xbe\xed\xfe"));
}

TEST_F(ProgramLoop, FindsTwoStepsInOrder) {
  const auto found = first_difference(start('s'), 200'000);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->input.arguments[1], "<>");
}

TEST_F(ProgramLoop, IsTheSameForASeed) {
  const auto kept = [&] {
    FastTier tier = start('k');
    std::vector<concolic::ProgramInput> inputs;
    FastTier::Handlers handlers;
    handlers.keeps = [&](const KeptForCorpus& input) { inputs.push_back(input.input); };
    EXPECT_TRUE(tier.run_slice(slice(15'000), handlers));
    return inputs;
  };
  EXPECT_EQ(kept(), kept());
}

// Loops, writes over its code, recurses, takes all memory, closes its streams; and has an error besides.
TEST_F(ProgramLoop, IsNotStoppedByHostilePrograms) {
  const auto found = first_difference(start('h', {"w", "c"}), 20'000, 1'000);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->input.arguments[1].size(), 3U);
}

TEST_F(ProgramLoop, KeepsItsTime) {
  FastTier tier = start('k');
  SliceRequest request;
  request.milliseconds = 50;
  const auto began = std::chrono::steady_clock::now();
  const auto report = tier.run_slice(request, {});
  ASSERT_TRUE(report && *report);
  EXPECT_GT((*report)->executions, 0U);
  // Far less than the hour that it would go on: nothing here depends on how busy the machine is.
  EXPECT_LT(std::chrono::steady_clock::now() - began, std::chrono::seconds(30));
}

TEST_F(ProgramLoop, WorksOnProcessesWhereItMust) {
  const CompiledProgram base = compile_text("loop_base_plain", "#define HEAD 0\n" + std::string(kText));
  fast::FastOptions options;
  options.versions = {{{}, "it is linked statically", base.plain}, {{}, "", base.plain}};
  options.folder = fast::fast_folder() / "loop_processes";
  options.limits = fast::test_limits();
  Expected<FastTier> tier = FastTier::create(std::move(options), [](const std::vector<uint64_t>& places) {
    EXPECT_TRUE(places.empty());
    LoopSettings settings;
    settings.room.limits.arguments = {{1, 1}};
    settings.room.limits.least_arguments = 1;
    settings.room.fixed = {"s"};
    return settings;
  });
  ASSERT_TRUE(tier) << tier.error().message;
  EXPECT_NE(tier->needs_processes().find("it is linked statically"), std::string::npos);
  const auto report = tier->run_slice(slice(20), {});
  ASSERT_TRUE(report && *report);
  EXPECT_EQ((*report)->in_processes, (*report)->executions);
}

}  // namespace
}  // namespace heddle::fuzz
