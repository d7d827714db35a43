// The expressions of thousands of computed values: evaluated for the recorded input and for others, they give
// what the program computes.
#include <cstring>
#include <random>

#include <gtest/gtest.h>

#include "interact/concolic/solver/evaluate.h"
#include "program_generator.h"
#include "test_program.h"

namespace heddle::concolic {
namespace {

constexpr int kExpressions = 400;
constexpr size_t kValueBytes = 2 * 2 * (1 + 2 + 4 + 8);

// Any bytes but NUL, with many that are at the ends of their range.
std::string random_argument(std::mt19937_64& random) {
  static constexpr unsigned char kLimits[] = {1, 0x7f, 0x80, 0xff};
  std::string bytes(kValueBytes, '\0');
  for (char& byte : bytes)
    byte = static_cast<char>(random() % 3 == 0 ? kLimits[random() % 4] : 1 + random() % 255);
  return bytes;
}

// What one function computed: the branches on the way, and the observed value as the last event.
std::vector<std::vector<Event>> observations(const Recording& recording) {
  std::vector<std::vector<Event>> result(1);
  for (const Event& event : recording.events) {
    result.back().push_back(event);
    if (event.kind == SiteKind::kObserve) result.emplace_back();
  }
  result.pop_back();
  return result;
}

// Whether the values are right for the other execution, up to where it takes another path. Counts the
// functions with the same path.
void expect_same(Evaluator& evaluator, const std::vector<Event>& recorded, const std::vector<Event>& other,
                 size_t* same_paths) {
  for (size_t i = 0; i < recorded.size() && i < other.size(); ++i) {
    ASSERT_EQ(recorded[i].site, other[i].site);
    const bool is_value = recorded[i].kind == SiteKind::kObserve;
    if (recorded[i].condition != 0) {
      ASSERT_EQ(evaluator.value(recorded[i].condition), is_value ? other[i].value : other[i].taken);
    }
    if (is_value) ++*same_paths;
    if (recorded[i].taken != other[i].taken) return;
  }
}

Assignment assignment_of(const std::string& argument) {
  Assignment values;
  for (uint32_t i = 0; i < argument.size(); ++i)
    values[{make_source(SourceKind::kArgument, 1), i}] = static_cast<unsigned char>(argument[i]);
  return values;
}

class ConcolicExpressions : public testing::TestWithParam<int> {};

TEST_P(ConcolicExpressions, HaveTheValuesOfTheProgram) {
  const auto seed = static_cast<uint64_t>(GetParam());
  ConcolicRunner runner =
      compile_test_program({"expressions" + std::to_string(seed), generate_expressions(seed, kExpressions)});
  std::mt19937_64 random(seed);
  const Expected<ConcolicRun> first = runner.run({{random_argument(random)}, "", ""});
  ASSERT_TRUE(first);
  expect_right_values(*first);
  const std::vector<std::vector<Event>> recorded = observations(first->recording);
  ASSERT_EQ(recorded.size(), static_cast<size_t>(kExpressions));
  size_t symbolic = 0;
  for (const auto& events : recorded) symbolic += events.back().condition != 0;
  EXPECT_GT(symbolic, recorded.size() * 2 / 3);
  size_t same_paths = 0;
  for (int round = 0; round < 20; ++round) {
    const std::string argument = random_argument(random);
    const Expected<ConcolicRun> other = runner.run({{argument}, "", ""});
    ASSERT_TRUE(other);
    const Assignment values = assignment_of(argument);
    Evaluator evaluator(first->recording, values);
    const std::vector<std::vector<Event>> expected = observations(other->recording);
    ASSERT_EQ(expected.size(), recorded.size());
    for (size_t i = 0; i < recorded.size(); ++i) {
      SCOPED_TRACE("expression " + std::to_string(i));
      expect_same(evaluator, recorded[i], expected[i], &same_paths);
    }
  }
  EXPECT_GT(same_paths, recorded.size() * 20 / 3);
}
INSTANTIATE_TEST_SUITE_P(Seeds, ConcolicExpressions, testing::Range(1, 4));

}  // namespace
}  // namespace heddle::concolic
