// What may not be chosen stays what it is.
#include <gtest/gtest.h>

#include "interact/concolic/program_input.h"
#include "interact/search/first_inputs.h"

namespace heddle::concolic {
namespace {

InputPlace argument(uint32_t index, uint32_t offset) {
  return {make_source(SourceKind::kArgument, index), offset};
}
InputPlace place(SourceKind kind, uint32_t offset = 0) {
  return {make_source(kind, 0), offset};
}

TEST(InputLimits, PrefixesOfArgumentsAreFixed) {
  InputLimits limits;
  limits.has_fixed_count = true;
  limits.arguments = {{2, 5}, {3, 3}};
  EXPECT_TRUE(is_fixed(argument(1, 1), limits));
  EXPECT_FALSE(is_fixed(argument(1, 2), limits));
  EXPECT_TRUE(is_fixed(argument(1, 5), limits));
  EXPECT_TRUE(is_fixed(argument(2, 2), limits));
  const Assignment values = {{argument(1, 0), 'x'}, {argument(1, 2), '7'},
                             {argument(1, 3), '8'}, {argument(1, 5), '9'},
                             {argument(2, 1), 'y'}, {place(SourceKind::kArgumentCount), 9}};
  EXPECT_EQ(with_values({{"-d", "-on"}, "", ""}, values, limits), (ProgramInput{{"-d78", "-on"}, "", ""}));
}

TEST(InputLimits, SizesHaveTheirOwnLimits) {
  InputLimits limits;
  limits.longest_standard_input = 3;
  limits.longest_file = 0;
  const Assignment values = {{place(SourceKind::kStandardInputSize), 9},
                             {place(SourceKind::kStandardInput, 2), 'c'},
                             {place(SourceKind::kStandardInput, 3), 'd'},
                             {place(SourceKind::kFileSize), 4}};
  EXPECT_EQ(with_values({{}, "ab", "F"}, values, limits), (ProgramInput{{}, "abc", "F"}));
}

TEST(InputLimits, ThereAreNeitherTooFewNorTooManyArguments) {
  InputLimits limits;
  limits.least_arguments = 1;
  limits.most_arguments = 3;
  const auto count = [&](uint64_t value) {
    const Assignment values = {{place(SourceKind::kArgumentCount), value}};
    return with_values({{"a", "b"}, "", ""}, values, limits).arguments.size();
  };
  EXPECT_EQ(count(0), 1u);
  EXPECT_EQ(count(1), 1u);
  EXPECT_EQ(count(3), 2u);
  EXPECT_EQ(count(9), 3u);
}

TEST(InputLimits, AGapBeforeANewCharacterIsFilled) {
  EXPECT_EQ(with_values({{"a"}, "", ""}, {{argument(1, 3), 'd'}}, {}).arguments[0], "a00d");
  EXPECT_EQ(with_values({{"a"}, "", ""}, {{argument(1, 1), 0}, {argument(1, 3), 'd'}}, {}).arguments[0], "a");
  EXPECT_EQ(with_values({{"a"}, "", ""}, {{argument(1, 3), 0}}, {}).arguments[0], "a");
}

}  // namespace
}  // namespace heddle::concolic

namespace heddle::interact {
namespace {

namespace symbolic = concolic::symbolic;

TEST(FirstInputs, HaveTheShape) {
  concolic::InputLimits limits;
  limits.has_fixed_count = true;
  limits.arguments = {{0, 3}, {0, 0}};
  limits.longest_standard_input = 1;
  const auto inputs = first_inputs(limits, symbolic::kArguments | symbolic::kStandardInput);
  ASSERT_TRUE(inputs);
  EXPECT_EQ(*inputs, (std::vector<concolic::ProgramInput>{{{"", ""}, "", ""}, {{"0", ""}, "0", ""}}));
}

TEST(FirstInputs, OfAnOpenNumberOfArgumentsTheFirstHasNone) {
  const auto inputs = first_inputs({}, symbolic::kArguments | symbolic::kArgumentCount);
  ASSERT_TRUE(inputs);
  EXPECT_EQ(*inputs, (std::vector<concolic::ProgramInput>{{{}, "", ""}, {{"0"}, "", ""}}));
}

TEST(FirstInputs, OfAnOpenNumberOfArgumentsThereAreAllLengths) {
  concolic::InputLimits limits;
  limits.most_arguments = 3;
  const auto more = with_more_arguments({{"-x"}, "in", ""}, limits, symbolic::kArgumentCount);
  EXPECT_EQ(more,
            (std::vector<concolic::ProgramInput>{{{"-x", "0"}, "in", ""}, {{"-x", "0", "0"}, "in", ""}}));
  EXPECT_TRUE(with_more_arguments({{"-x"}, "in", ""}, limits, symbolic::kArguments).empty());
}

TEST(FirstInputs, CannotKnowWhatIsFixed) {
  concolic::InputLimits limits;
  limits.has_fixed_count = true;
  limits.arguments = {{2, 3}};
  EXPECT_FALSE(first_inputs(limits, symbolic::kArguments));
}

}  // namespace
}  // namespace heddle::interact
