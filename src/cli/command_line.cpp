#include "cli/command_line.h"

#include <charconv>
#include <cstdio>

#include <fmt/format.h>

#include "report/text.h"

namespace heddle {
namespace {

constexpr double kLeastSeconds = 0.001;
constexpr double kMostSeconds = 1e9;  // thirty years; much more would overflow in milliseconds

}  // namespace

CLI::Validator whole_number(uint64_t least) {
  const auto check = [least](std::string& text) -> std::string {
    uint64_t number = 0;
    const char* end = text.data() + text.size();
    const auto [parsed, error] = std::from_chars(text.data(), end, number);
    if (!text.empty() && parsed == end && error == std::errc() && number >= least) return {};
    return fmt::format("'{}' is not a whole number from {} to 2^64-1", text, least);
  };
  return CLI::Validator(check, "");
}

CLI::Validator seconds() {
  const auto check = [](std::string& text) -> std::string {
    double number = 0;
    const char* end = text.data() + text.size();
    const auto [parsed, error] = std::from_chars(text.data(), end, number);
    if (parsed == end && error == std::errc() && number >= kLeastSeconds && number <= kMostSeconds) return {};
    return fmt::format("'{}' is not a number of seconds from {} to {:.0f}", text, kLeastSeconds,
                       kMostSeconds);
  };
  return CLI::Validator(check, "");
}

void say(const std::string& text) {
  std::fflush(stdout);
  // Unlike fmt::print, no exception if nobody can be told any more.
  std::fputs(fmt::format("heddle: {}\n", text).c_str(), stderr);
}

std::string one_line(const std::vector<std::string>& words) {
  constexpr size_t kLongest = 200;
  return cut_text(printable(fmt::format("{}", fmt::join(words, " "))), kLongest);
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
