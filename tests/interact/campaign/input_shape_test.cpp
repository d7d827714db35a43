#include "interact/campaign/input_shape.h"

#include <algorithm>

#include <gtest/gtest.h>

namespace heddle::interact {
namespace {

using Arguments = std::vector<std::string>;

InputShape shape_of(const ShapeRequest& request, const OptionWords& words = {}) {
  Expected<InputShape> shape = make_shape(request, words);
  if (!shape) throw std::runtime_error(shape.error().message);
  return *shape;
}

TEST(InputShape, OfATemplateKeepsWhatIsFixed) {
  const InputShape shape = shape_of({.arguments = "-w @4 --name=@8 'a b' x@@y"});
  ASSERT_EQ(shape.limits.arguments.size(), 5u);
  EXPECT_TRUE(shape.limits.has_fixed_count);
  EXPECT_EQ(shape.limits.arguments[0].fixed_prefix, 2u);
  EXPECT_EQ(shape.limits.arguments[0].longest, 2u);
  EXPECT_EQ(shape.limits.arguments[1].fixed_prefix, 0u);
  EXPECT_EQ(shape.limits.arguments[1].longest, 4u);
  EXPECT_EQ(shape.limits.arguments[2].fixed_prefix, 7u);
  EXPECT_EQ(shape.limits.arguments[2].longest, 15u);
  EXPECT_EQ(shape.seeds.front().arguments, (Arguments{"-w", "0", "--name=0", "a b", "x@y"}));
  EXPECT_EQ(shape.symbolic & concolic::symbolic::kArgumentCount, 0u);
}

TEST(InputShape, OfAnEmptyTemplateHasNoArguments) {
  const InputShape shape = shape_of({.arguments = "", .standard_input = 3});
  EXPECT_TRUE(shape.limits.has_fixed_count);
  EXPECT_TRUE(shape.limits.arguments.empty());
  EXPECT_EQ(shape.limits.longest_standard_input, 3u);
  EXPECT_EQ(describe_shape(shape), "no arguments, up to 3 bytes of standard input");
}

TEST(InputShape, OfATemplateMayLeaveOutItsLastWords) {
  const InputShape shape = shape_of({.arguments = "-w @4 [@8] [x@2]", .standard_input = 0});
  EXPECT_FALSE(shape.limits.has_fixed_count);
  EXPECT_EQ(shape.limits.least_arguments, 2u);
  EXPECT_EQ(shape.limits.most_arguments, 4u);
  EXPECT_NE(shape.symbolic & concolic::symbolic::kArgumentCount, 0u);
  EXPECT_EQ(describe_shape(shape), "-w @4 [@8] [x@2]");
  EXPECT_FALSE(make_shape({.arguments = "[@4] @4"}, {}));
}

TEST(InputShape, OfATemplateBeginsWithTheWordsThatFit) {
  OptionWords words;
  words.letters = {{'n', OptionWords::Value::kFlag}};
  words.longs = {{"width", OptionWords::Value::kWanted}};
  words.keywords = {"avg"};
  const InputShape shape = shape_of({.arguments = "-m@3 [@4]"}, words);
  const auto begins_with = [&](const Arguments& wanted) {
    return std::any_of(shape.seeds.begin(), shape.seeds.end(),
                       [&](const concolic::ProgramInput& seed) { return seed.arguments == wanted; });
  };
  EXPECT_EQ(shape.seeds.front().arguments, (Arguments{"-m0", "0"}));
  EXPECT_TRUE(begins_with({"-mavg"}));
  EXPECT_TRUE(begins_with({"-mavg", "0"}));
  EXPECT_TRUE(begins_with({"-m0", "avg"}));
  EXPECT_TRUE(begins_with({"-mavg", "-n"}));
  for (const concolic::ProgramInput& seed : shape.seeds) EXPECT_TRUE(fits(seed, shape));
}

TEST(InputShape, TellsWhatFits) {
  const InputShape shape = shape_of({.arguments = "-w@2 @3 [@1]", .standard_input = 1});
  const auto fit = [&](Arguments arguments, const std::string& standard_input = "") {
    return fits({.arguments = std::move(arguments), .standard_input = standard_input}, shape);
  };
  EXPECT_TRUE(fit({"-w12", "abc"}));
  EXPECT_TRUE(fit({"-w", "", "a"}, "x"));
  EXPECT_FALSE(fit({"-w123", "abc"}));
  EXPECT_FALSE(fit({"-", "abc"}));
  EXPECT_FALSE(fit({"-w"}));
  EXPECT_FALSE(fit({"-w", "a", "b", "c"}));
  EXPECT_FALSE(fit({"-w", "a"}, "xy"));
}

TEST(InputShape, WithoutATemplateBeginsWithEachOption) {
  OptionWords words;
  words.letters = {{'n', OptionWords::Value::kFlag}, {'w', OptionWords::Value::kWanted}};
  words.longs = {{"width", OptionWords::Value::kWanted}};
  words.dashed = {"--fill="};
  words.keywords = {"add"};
  const InputShape shape = shape_of({}, words);
  EXPECT_FALSE(shape.limits.has_fixed_count);
  EXPECT_NE(shape.symbolic & concolic::symbolic::kArgumentCount, 0u);
  for (const Arguments& wanted : {Arguments{}, Arguments{"-n", "0"}, Arguments{"-w", "0", "0"},
                                  Arguments{"-w0"}, Arguments{"-n", "-w0", "0"}, Arguments{"--width=0", "0"},
                                  Arguments{"--fill=0", "0"}, Arguments{"add", "0"}})
    EXPECT_TRUE(std::any_of(shape.seeds.begin(), shape.seeds.end(), [&](const concolic::ProgramInput& seed) {
      return seed.arguments == wanted;
    })) << (wanted.empty() ? "nothing" : wanted.front());
}

TEST(InputShape, SaysWhatIsWrongWithATemplate) {
  for (const std::string text : {"@", "-w @x", "@0", "@4x", "@99999999999", "-d '@2", "\"@4"}) {
    const Expected<InputShape> shape = make_shape({.arguments = text}, {});
    ASSERT_FALSE(shape) << text;
    EXPECT_NE(shape.error().message.find("--args"), std::string::npos) << shape.error().message;
  }
}

TEST(InputShape, SaysWhatIsWrongWithAFile) {
  EXPECT_EQ(shape_of({.file = "in.txt:12"}).file_name, "in.txt");
  EXPECT_EQ(shape_of({.file = "in.txt:12"}).limits.longest_file, 12u);
  for (const std::string text : {"in.txt", ":4", "in.txt:", "in.txt:x", "a/b:3", "..:3"})
    EXPECT_FALSE(make_shape({.file = text}, {})) << text;
}

}  // namespace
}  // namespace heddle::interact
