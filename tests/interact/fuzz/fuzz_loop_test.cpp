// The loop on programs that are functions.
#include <algorithm>
#include <functional>
#include <set>

#include <gtest/gtest.h>

#include "interact/fuzz/fuzz_loop.h"

namespace heddle::fuzz {
namespace {

using concolic::ProgramInput;

// Base writes nothing; the head and golden versions what the function says for the input.
class Imitation : public Executor, public LoopListener {
 public:
  using Program = std::function<std::string(const ProgramInput&)>;
  explicit Imitation(std::vector<Program> versions) : versions_(std::move(versions)) {}

  Expected<Execution> run(const ProgramInput& input, size_t versions, bool) override {
    executed.push_back(input);
    outputs_.clear();
    for (size_t i = 0; i < versions; ++i) outputs_.push_back(versions_[i](input));
    runs_.assign(versions, {});
    for (size_t i = 0; i < versions; ++i) runs_[i].out = outputs_[i];
    counters_.assign(8, 0);
    counters_[input.arguments.empty() ? 0 : input.arguments.front().size() % 8] = 1;
    Execution execution;
    execution.runs = runs_;
    execution.head_edges = execution.base_edges = counters_;
    return execution;
  }
  size_t base_edges() const override { return 8; }
  size_t head_edges() const override { return 8; }
  void differs(const FoundDifference& difference) override { found.push_back(difference); }
  void keeps(const KeptForCorpus& input) override { kept.push_back(input); }

  std::vector<ProgramInput> executed;
  std::vector<FoundDifference> found;
  std::vector<KeptForCorpus> kept;

 private:
  std::vector<Program> versions_;
  std::vector<std::string> outputs_;
  std::vector<fast::VersionRun> runs_;
  std::vector<uint8_t> counters_;
};

std::string nothing(const ProgramInput&) {
  return "";
}

LoopSettings open_settings() {
  LoopSettings settings;
  settings.room.limits.longest_argument = 8;
  settings.room.limits.most_arguments = 2;
  return settings;
}

void run(FuzzLoop& loop, uint64_t executions) {
  FuzzLoop::Limits limits;
  limits.deadline = std::chrono::steady_clock::now() + std::chrono::hours(1);
  limits.executions = executions;
  ASSERT_TRUE(loop.run(limits));
}

TEST(Loop, TellsAWayToDifferOnceAndSmall) {
  const LoopSettings settings = open_settings();
  Imitation program({nothing, [](const ProgramInput& input) {
                       return input.arguments.size() == 1 && input.arguments[0].size() > 3 ? "long" : "";
                     }});
  FuzzLoop loop(settings, program, program);
  loop.add_seed({.arguments = {"0"}, .standard_input = {}, .file = {}});
  while (program.found.empty()) run(loop, 100);
  loop.mark_done(program.found.front().way);
  run(loop, 20'000);
  ASSERT_EQ(program.found.size(), 1U);
  EXPECT_EQ(program.found.front().input.arguments.size(), 1U);
  EXPECT_EQ(program.found.front().input.arguments.front().size(), 4U);
  EXPECT_TRUE(program.found.front().input.standard_input.empty());
  const SliceReport report = loop.report();
  EXPECT_GT(report.differing, 100U);
  EXPECT_LE(report.corpus, 40U);
}

// Two errors that look alike without them.
TEST(Loop, TellsErrorsApartByGoldenVersions) {
  LoopSettings settings = open_settings();
  settings.golden = 2;
  const auto head = [](const ProgramInput& input) {
    const std::string& first = input.arguments.empty() ? "" : input.arguments.front();
    return first.starts_with("a") || first.starts_with("b") ? "x" : "";
  };
  const auto fixed = [head](char letter) {
    return [head, letter](const ProgramInput& input) {
      return !input.arguments.empty() && input.arguments.front().starts_with(letter) ? "" : head(input);
    };
  };
  Imitation program({nothing, head, fixed('a'), fixed('b')});
  FuzzLoop loop(settings, program, program);
  run(loop, 20'000);
  std::set<uint64_t> wrong_for;
  for (const FoundDifference& found : program.found) wrong_for.insert(found.wrong_for);
  EXPECT_EQ(wrong_for, (std::set<uint64_t>{1, 2}));
}

TEST(Loop, SaysWhenThereIsNothingElseToTry) {
  LoopSettings settings;
  settings.room.limits.has_fixed_count = true;
  settings.room.limits.most_arguments = 0;
  settings.room.limits.longest_standard_input = settings.room.limits.longest_file = 0;
  Imitation program({nothing, nothing});
  FuzzLoop loop(settings, program, program);
  run(loop, 10'000);
  EXPECT_TRUE(loop.report().is_exhausted);
  // Now and then one is executed again for its comparisons.
  EXPECT_LT(program.executed.size(), 2'000U);
}

TEST(Loop, DoesNotExecuteWhatIsToBeAvoided) {
  LoopSettings settings = open_settings();
  settings.avoided.push_back({.arguments = {"0"}, .standard_input = {}, .file = {}});
  Imitation program({nothing, nothing});
  FuzzLoop loop(settings, program, program);
  loop.add_seed(settings.avoided.front());
  run(loop, 5'000);
  EXPECT_EQ(std::count(program.executed.begin(), program.executed.end(), settings.avoided.front()), 0);
}

TEST(Loop, IsTheSameForASeedHoweverItIsCut) {
  const LoopSettings settings = open_settings();
  const auto executed = [&](std::vector<uint64_t> slices) {
    Imitation program({nothing, nothing});
    FuzzLoop loop(settings, program, program);
    for (const uint64_t slice : slices) run(loop, slice);
    return program.executed;
  };
  EXPECT_EQ(executed({3'000}), executed({3'000}));
  EXPECT_EQ(executed({64, 2'936}).size(), 3'000U);
}

}  // namespace
}  // namespace heddle::fuzz
