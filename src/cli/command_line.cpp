#include "cli/command_line.h"

#include <cstdio>

#include <fmt/format.h>

namespace heddle {

void say(const std::string& text) {
  std::fflush(stdout);
  fmt::print(stderr, "heddle: {}\n", text);
}

Expected<std::vector<std::string>> test_words(const Invocation& invocation, const std::string& subcommand) {
  if (invocation.words.empty()) {
    return usage_error(
        fmt::format("no test was given; write `heddle {} [options] -- PROGRAM [arguments]`", subcommand));
  }
  return invocation.words;
}

void add_compiler_commands(CLI::App& app) {
  app.add_subcommand("cc",
                     "compile and link C for heddle (also as heddle-cc); takes the compiler's arguments");
  app.add_subcommand("c++", "compile and link C++ for heddle (also as heddle-c++)");
}

}  // namespace heddle
