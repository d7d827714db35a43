// Behaviour here is behaviour in a process, for programs and inputs made at random.
#include <fstream>
#include <random>

#include <gtest/gtest.h>

#include "../concolic/program_generator.h"
#include "fast_programs.h"

namespace heddle::fast {
namespace {

using concolic::ProgramInput;

class InputMaker {
 public:
  InputMaker(unsigned seed, std::vector<std::string> words) : random_(seed), words_(std::move(words)) {}

  ProgramInput next() {
    ProgramInput input;
    const size_t count = below(4);
    for (size_t i = 0; i < count; ++i)
      input.arguments.push_back(below(2) == 0 ? words_[below(words_.size())] : bytes(12));
    input.standard_input = below(3) == 0 ? words_[below(words_.size())] + "\n" + bytes(10) : bytes(30);
    return input;
  }

 private:
  size_t below(size_t limit) { return random_() % limit; }

  std::string bytes(size_t most) {
    static constexpr std::string_view kCommon = "0123456789-abcxyz,:+%= \n\t";
    std::string text;
    for (size_t i = below(most + 1); i > 0; --i)
      text += below(4) == 0 ? static_cast<char>(1 + below(255)) : kCommon[below(kCommon.size())];
    return text;
  }

  std::mt19937 random_;
  std::vector<std::string> words_;
};

void expect_the_same(const CompiledProgram& program, InputMaker inputs, int count) {
  FastRunner fast = make_fast_runner(program, 2, test_limits());
  interact::ProgramRunner process = make_process(program, test_limits());
  ASSERT_EQ(fast.needs_processes(), "");
  for (int i = 0; i < count; ++i) {
    const ProgramInput input = inputs.next();
    const Expected<interact::Behaviour> behaviour = process.run(input);
    ASSERT_TRUE(behaviour);
    const auto runs = fast.run(input);
    ASSERT_TRUE(runs);
    for (const VersionRun& run : *runs)
      ASSERT_EQ(difference(run, *behaviour), "") << testing::PrintToString(input.arguments) << " with "
                                                 << testing::PrintToString(input.standard_input);
    ASSERT_TRUE(behave_the_same((*runs)[0], (*runs)[1]));
  }
  EXPECT_EQ(fast.counts().in_processes, 0U);
}

TEST(Property, GeneratedProgramsBehaveAsInProcesses) {
  for (unsigned seed = 1; seed <= 3; ++seed) {
    const CompiledProgram program =
        compile_text("generated" + std::to_string(seed), concolic::generate_program(seed));
    expect_the_same(program, InputMaker(seed, {"abcdefghijkl", "0123456789", "zzzzzzzzzzzzzzzz"}), 250);
  }
}

TEST(Property, AToolInCBehavesAsInProcesses) {
  const std::filesystem::path source = HEDDLE_SUBJECTS "/fields/base";
  ProgramSource program = {.name = "fields"};
  for (const char* const file : {"main.c", "cut.c", "line.c", "list.c", "message.c"})
    program.files.push_back(source / file);
  expect_the_same(compile_both(program),
                  InputMaker(5, {"-b1-3", "-f", "-d:", "-c2,4-", "--complement", "--output-delimiter=+",
                                 "1,3-", "a:b:c", "-s", "-z", "--help", "-f2"}),
                  1000);
}

TEST(Property, AProgramOfTheCxxLibraryBehavesAsInProcesses) {
  const CompiledProgram program = compile_text("words", R"(
    #include <algorithm>
    #include <iomanip>
    #include <iostream>
    #include <map>
    #include <memory>
    #include <sstream>
    #include <stdexcept>
    #include <string>
    #include <unordered_map>
    #include <vector>
    static std::map<std::string, int> counts;
    static std::unordered_map<std::string, int> hashed;
    static void add(const std::string& word) {
      if (word.find('%') != std::string::npos) throw std::invalid_argument("bad word " + word);
      ++counts[word];
      ++hashed[word];
    }
    struct Closing {
      ~Closing() { std::cerr << "closing " << counts.size() << '\n'; }
    };
    int main(int count, char** arguments) {
      static Closing closing;
      int number = 0;
      std::string word;
      try {
        while (std::cin >> word) add(word);
        for (int i = 1; i < count; ++i) {
          std::istringstream text(arguments[i]);
          if (text >> number) std::cout << std::hex << std::setw(8) << number << '|' << std::fixed << number / 3.0 << std::endl;
          else std::clog << "no number: " << arguments[i] << '\n';
          number += std::stoi(arguments[i]);
        }
      } catch (const std::invalid_argument& error) {
        std::cout << "wrong: " << error.what() << '\n';
      }
      for (const auto& [text, times] : counts) std::cout << text << ' ' << times << '\n';
      for (const auto& [text, times] : hashed) std::cout << text << ' ';
      return number & 255;
    })",
                                               true);
  expect_the_same(program, InputMaker(6, {"12", "-7", "x1", "a b a", "99999999999", "0x1f", "word word"}),
                  600);
}

}  // namespace
}  // namespace heddle::fast
