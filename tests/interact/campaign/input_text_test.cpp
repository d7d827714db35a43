#include "interact/campaign/input_text.h"

#include <array>
#include <cstdio>
#include <string>

#include <gtest/gtest.h>

namespace heddle::interact {
namespace {

std::string output_of(const std::string& command) {
  FILE* pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) throw std::runtime_error("popen");
  std::string text;
  std::array<char, 256> buffer{};
  for (size_t size = 0; (size = fread(buffer.data(), 1, buffer.size(), pipe)) > 0;)
    text.append(buffer.data(), size);
  pclose(pipe);
  return text;
}

TEST(InputText, PrintfWritesEveryByteAgain) {
  std::string all;
  for (int c = 0; c < 256; ++c) all += static_cast<char>(c);
  all += "12%d\\n'\"";
  EXPECT_EQ(output_of("printf '" + printf_format(all) + "'"), all);
}

// Each argument between brackets.
TEST(InputText, ShellsReadTheArgumentsAgain) {
  concolic::ProgramInput input;
  input.arguments = {"",         "a b", "it's", "$HOME `x` \\", "line\n",  "\x01\n",
                     "\xc3\xa4", "-n",  "*",    "%s",           "\nq'\x02"};
  std::string expected;
  for (const std::string& argument : input.arguments) expected += "[" + argument + "]";
  EXPECT_EQ(output_of(command_line(input, "printf '[%s]'")), expected);
}

TEST(InputText, StandardInputComesThroughAPipe) {
  concolic::ProgramInput input;
  input.standard_input = "a\\b\n\x7f";
  EXPECT_EQ(output_of(command_line(input, "cat")), input.standard_input);
}

TEST(InputText, ABehaviourIsOneLine) {
  Behaviour behaviour;
  behaviour.out = "3\n\x01";
  behaviour.exit_code = 2;
  EXPECT_EQ(describe(behaviour, {Aspect::kOut}), "\"3\\n\\x01\", exit 2");
  behaviour.timed_out = true;
  EXPECT_EQ(describe(behaviour, {Aspect::kTime}), "does not end");
  behaviour = {};
  behaviour.signal = 11;
  behaviour.report = "heap-buffer-overflow in f";
  EXPECT_EQ(describe(behaviour, {Aspect::kCrash}), "\"\", heap-buffer-overflow in f, ended by signal 11");
}

}  // namespace
}  // namespace heddle::interact
