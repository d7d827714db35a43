#include <fmt/format.h>

#include <memory>

#include "cli/command_line.h"
#include "execute/doctor.h"

namespace heddle {
namespace {

const char* word_for(Diagnosis::Level level) {
  switch (level) {
    case Diagnosis::Level::kOk:
      return "ok  ";
    case Diagnosis::Level::kWarning:
      return "warn";
    case Diagnosis::Level::kBad:
      return "bad ";
  }
  return "";
}

// Whether something is so bad that heddle cannot work.
bool print_checks(const std::string& title, const std::vector<Diagnosis>& checks) {
  bool unusable = false;
  fmt::print("{}\n", title);
  for (const Diagnosis& check : checks) {
    fmt::print("  {}  {}\n", word_for(check.level), check.what);
    if (!check.advice.empty()) fmt::print("        {}\n", check.advice);
    if (check.level == Diagnosis::Level::kBad) unusable = true;
  }
  return unusable;
}

}  // namespace

void add_doctor_command(CLI::App& app, Invocation& invocation) {
  CLI::App* command =
      app.add_subcommand("doctor", "say what works on this machine and for a binary, and what to do if not");
  auto binary = std::make_shared<std::string>();
  command->add_option("BINARY", *binary, "a program to look at");
  command->callback([&invocation, binary] {
    invocation.action = [binary]() -> Expected<int> {
      bool unusable = print_checks("This machine:", check_machine());
      if (!binary->empty()) unusable = print_checks(*binary + ":", check_binary(*binary)) || unusable;
      return unusable ? exit_code::kUsage : exit_code::kClean;
    };
  });
}

}  // namespace heddle
