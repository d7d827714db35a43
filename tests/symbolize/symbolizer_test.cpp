#include "symbolize/symbolizer.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include <gtest/gtest.h>

namespace heddle {
namespace {

// The line of positions_program.cpp that carries this comment.
uint32_t line_marked(const std::string& comment) {
  std::filesystem::path source = std::filesystem::path(__FILE__).parent_path() / "positions_program.cpp";
  std::ifstream input(source);
  uint32_t number = 0;
  for (std::string line; std::getline(input, line);) {
    ++number;
    if (line.ends_with("// " + comment)) return number;
  }
  ADD_FAILURE() << "no line is marked: " << comment;
  return 0;
}

std::vector<std::string> test_programs() {
  std::vector<std::string> programs;
  std::istringstream list(HEDDLE_TEST_PROGRAMS);
  for (std::string program; std::getline(list, program, ':');) programs.push_back(program);
  return programs;
}

// The positions that the program prints about itself.
std::map<std::string, uint64_t> run_program(const std::string& program) {
  std::map<std::string, uint64_t> positions;
  FILE* output = popen(program.c_str(), "r");
  char name[32];
  unsigned long offset = 0;
  while (output != nullptr && std::fscanf(output, "%31s %lx", name, &offset) == 2) positions[name] = offset;
  EXPECT_EQ(output == nullptr ? -1 : pclose(output), 0);
  return positions;
}

class SymbolizerOnProgram : public testing::TestWithParam<std::string> {
 protected:
  ModuleName module_{GetParam(), ""};
  std::map<std::string, uint64_t> positions_ = run_program(GetParam());
  std::unique_ptr<Symbolizer> symbolizer_ = make_symbolizer();
};

TEST_P(SymbolizerOnProgram, GivesTheInlinedAtChain) {
  const std::vector<Frame>& frames = symbolizer_->code(module_, positions_.at("inlined"));
  ASSERT_EQ(frames.size(), 2u);
  EXPECT_EQ(frames[0].function, "Queue::push");
  EXPECT_EQ(frames[0].signature, "Queue<int>::push(int)");
  EXPECT_EQ(frames[0].line, line_marked("line of Queue::push"));
  EXPECT_EQ(frames[1].function, "produce");
  EXPECT_EQ(frames[1].signature, "produce(int)");
  EXPECT_EQ(frames[1].line, line_marked("line of produce"));
  EXPECT_EQ(std::filesystem::path(frames[1].file).filename(), "positions_program.cpp");
}

TEST_P(SymbolizerOnProgram, NamesLambdas) {
  const std::vector<Frame>& frames = symbolizer_->code(module_, positions_.at("lambda"));
  ASSERT_FALSE(frames.empty());
  EXPECT_EQ(frames[0].function, "main::{lambda}");
  EXPECT_EQ(frames[0].line, line_marked("line of the lambda"));
}

TEST_P(SymbolizerOnProgram, NamesGlobalVariables) {
  EXPECT_EQ(symbolizer_->data(module_, positions_.at("plain")), (Variable{"bank::plain", 0, 8}));
}

TEST_P(SymbolizerOnProgram, NamesMembersOfGlobalVariables) {
  auto at = [&](const char* name) { return symbolizer_->data(module_, positions_.at(name)); };
  EXPECT_EQ(at("member"), (Variable{"bank::savings.balance", 0, 8}));
  EXPECT_EQ(at("base"), (Variable{"bank::savings.number", 0, 4}));
  EXPECT_EQ(at("element"), (Variable{"bank::savings.old[2].history[1]", 0, 2}));
  EXPECT_EQ(at("mutex"), (Variable{"bank::savings.lock", 8, 40})) << "the insides of std types stay hidden";
  EXPECT_EQ(at("array"), (Variable{"bank::owners[2].number", 0, 4})) << "but std::array has elements";
}

TEST_P(SymbolizerOnProgram, KnowsWhatNamesMeanAroundACodePosition) {
  const std::vector<NamedPart>& names = symbolizer_->names_at(module_, positions_.at("inlined"));
  const auto find = [&](const std::string& name, const std::string& owner) {
    const auto found = std::find_if(names.begin(), names.end(), [&](const NamedPart& part) {
      return part.name == name && part.owner == owner;
    });
    return found == names.end() ? NamedPart{} : *found;
  };
  const NamedPart balance = find("balance", "bank::Account");
  EXPECT_EQ(balance.offset, 48u);
  EXPECT_EQ(balance.size, 8u);
  EXPECT_EQ(find("number", "bank::Account").size, 4u) << "of its base";
  const NamedPart lock = find("lock", "bank::Account");
  EXPECT_TRUE(lock.is_opaque);
  EXPECT_EQ(lock.size, 40u);
  EXPECT_EQ(find("old", "bank::Account").count, 3u);
  EXPECT_EQ(find("value", "").size, 4u) << "a parameter";
  EXPECT_EQ(find("size", "Queue<int>").size, 4u);
  for (const NamedPart& part : names) EXPECT_FALSE(part.name.starts_with("_M_")) << part.name;
}

TEST_P(SymbolizerOnProgram, KnowsWhereVariablesLieInAFrame) {
  const std::vector<FramePart>& parts = symbolizer_->frame_at(module_, positions_.at("frame"));
  const auto find = [&](const std::string& path) {
    const auto found =
        std::find_if(parts.begin(), parts.end(), [&](const FramePart& part) { return part.path == path; });
    EXPECT_NE(found, parts.end()) << path;
    return found == parts.end() ? FramePart{} : *found;
  };
  const FramePart balance = find("local.balance");
  const FramePart element = find("owners[1].number");
  EXPECT_EQ(balance.word, "balance");
  EXPECT_EQ(balance.size, 8u);
  EXPECT_EQ(element.begin - balance.begin,
            static_cast<int64_t>(positions_.at("owners") - positions_.at("local")));
  EXPECT_EQ(find("local.old[2].history[1]").size, 2u);
  EXPECT_TRUE(find("local.lock").is_opaque);
  EXPECT_EQ(find("local.lock").size, 40u);
}

TEST_P(SymbolizerOnProgram, AnswersFromTheCacheTheSecondTime) {
  const std::vector<Frame>& first = symbolizer_->code(module_, positions_.at("inlined"));
  EXPECT_EQ(&first, &symbolizer_->code(module_, positions_.at("inlined")));
}

TEST_P(SymbolizerOnProgram, SaysOnlyTheOffsetWhenTheFileWasRebuilt) {
  ModuleName other{GetParam(), "0123456789abcdef"};
  const std::vector<Frame>& frames = symbolizer_->code(other, 0x1234);
  ASSERT_EQ(frames.size(), 1u);
  EXPECT_EQ(frames[0].function, std::filesystem::path(GetParam()).filename().string() + "+0x1234");
  EXPECT_EQ(frames[0].file, "");
  EXPECT_EQ(symbolizer_->data(other, positions_.at("plain")), std::nullopt);
  EXPECT_NE(symbolizer_->problem(other).find("has been rebuilt since"), std::string::npos);
  EXPECT_EQ(symbolizer_->problem(module_), "");
}

INSTANTIATE_TEST_SUITE_P(Compilers, SymbolizerOnProgram, testing::ValuesIn(test_programs()),
                         [](const auto& param_info) {
                           return std::filesystem::path(param_info.param).filename().string();
                         });

TEST(Symbolizer, SaysOnlyTheOffsetWhenTheFileIsMissing) {
  auto symbolizer = make_symbolizer();
  ModuleName module{"/nonexistent/prog", ""};
  EXPECT_EQ(symbolizer->code(module, 0x20), (std::vector<Frame>{{"prog+0x20", "prog+0x20", "", 0, 0}}));
  EXPECT_EQ(symbolizer->data(module, 0x20), std::nullopt);
  EXPECT_NE(symbolizer->problem(module).find("cannot be read"), std::string::npos);
}

TEST(Symbolizer, SaysOnlyTheOffsetWhenTheFileIsNoProgram) {
  auto symbolizer = make_symbolizer();
  ModuleName module{__FILE__, ""};
  EXPECT_EQ(symbolizer->code(module, 0x20)[0].function, "symbolizer_test.cpp+0x20");
}

}  // namespace
}  // namespace heddle
