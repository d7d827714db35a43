// heddle: the command line. See docs/cli.md.
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <exception>
#include <filesystem>
#include <iostream>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "cli/command_line.h"
#include "cli/compiler_wrapper.h"

namespace heddle {
namespace {

int fail(const Error& error) {
  say(error.message);
  return static_cast<int>(error.kind);
}

std::string join(const std::vector<std::string>& words) {
  return fmt::format("{}", fmt::join(words, ", "));
}

// What could have been written where the parser found something that it does not know.
std::string alternatives(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands({})) {
    if (!command->get_group().empty()) names.push_back(command->get_name());  // else it is not for people
  }
  if (!names.empty()) return "commands: " + join(names);
  for (const CLI::Option* option : app.get_options()) {
    if (option->nonpositional()) names.push_back("--" + option->get_lnames().front());
  }
  return "options: " + join(names);
}

const CLI::App* innermost(const CLI::App& app) {
  const CLI::App* current = &app;
  while (!current->get_subcommands().empty()) current = current->get_subcommands().front();
  return current;
}

std::string full_name(const CLI::App* app) {
  const std::string own = app->get_name();
  return app->get_parent() == nullptr ? own : full_name(app->get_parent()) + " " + own;
}

Error explain(const CLI::App& app, const CLI::ParseError& error) {
  const CLI::App* command = innermost(app);
  const bool has_commands = !command->get_subcommands({}).empty();
  std::string what = error.what();
  std::string hint = fmt::format("see `{} --help`", full_name(command));
  if (const std::vector<std::string> extras = app.remaining(true); !extras.empty()) {
    const bool is_option = extras.front().starts_with('-');
    what = fmt::format("unknown {} {}",
                       is_option      ? "option"
                       : has_commands ? "command"
                                      : "argument",
                       extras.front());
    hint = is_option || has_commands ? alternatives(*command) : "the test's command goes after `--`";
  } else if (dynamic_cast<const CLI::RequiredError*>(&error) != nullptr && has_commands) {
    what = "a command is missing";
    hint = alternatives(*command);
  }
  std::replace(what.begin(), what.end(), '\n', ' ');
  return {fmt::format("{}; {}", what, hint)};
}

void describe(CLI::App& app) {
  app.name("heddle");
  app.set_version_flag("--version", "heddle " HEDDLE_VERSION);
  app.require_subcommand(1);
  app.footer(
      "Exit codes: 0 nothing found, 1 findings, 2 wrong usage or bad input, 3 heddle itself failed, 130 "
      "interrupted.\n"
      "`heddle COMMAND --help` explains a command.");
}

// A stream that was closed would become the first file that is opened, and get what is meant for the stream.
void open_standard_streams() {
  int fd;
  do {
    fd = ::open("/dev/null", O_RDWR);
  } while (fd >= 0 && fd <= STDERR_FILENO);
  if (fd >= 0) ::close(fd);
}

int run(std::vector<std::string> words) {
  Invocation invocation;
  const auto separator = std::find(words.begin(), words.end(), "--");
  invocation.has_words = separator != words.end();
  if (invocation.has_words) {
    invocation.words.assign(separator + 1, words.end());
    words.erase(separator, words.end());
  }

  // As many tools have it.
  if (!words.empty() && words.front() == "help") {
    words.erase(words.begin());
    words.emplace_back("--help");
  }

  CLI::App app(
      "Decides which thread of a C or C++ program runs at every step, remembers it, and can do it again.");
  describe(app);
  add_check_command(app, invocation);
  add_run_command(app, invocation);
  add_explore_command(app, invocation);
  add_detect_command(app, invocation);
  add_predict_command(app, invocation);
  add_replay_command(app, invocation);
  add_report_command(app, invocation);
  add_trace_command(app, invocation);
  add_change_command(app, invocation);
  add_program_command(app, invocation);
  add_record_command(app, invocation);
  add_impact_command(app, invocation);
  add_interact_command(app, invocation);
  add_generate_command(app, invocation);
  add_select_command(app, invocation);
  add_test_command(app, invocation);
  add_list_command(app, invocation);
  add_init_command(app, invocation);
  add_history_command(app, invocation);
  add_merge_command(app, invocation);
  add_tell_races_command(app, invocation);
  add_doctor_command(app, invocation);
  add_compiler_commands(app);
  try {
    std::reverse(words.begin(), words.end());  // as CLI11 wants them
    app.parse(std::move(words));
  } catch (const CLI::Success& success) {
    return app.exit(success);
  } catch (const CLI::ParseError& error) {
    return fail(explain(app, error));
  }
  const Expected<int> code = invocation.action();
  if (code && !std::cout.flush()) {
    return fail({"cannot write to the standard output", Error::Kind::kInternal});
  }
  return code ? *code : fail(code.error());
}

}  // namespace
}  // namespace heddle

int main(int argc, char** argv) {
  using namespace heddle;
  open_standard_streams();
  ::signal(SIGXFSZ, SIG_IGN);  // a limit on the size of files is an error of write()
  const std::vector<std::string> words(argv + 1, argv + argc);
  // As CMAKE_CXX_COMPILER a single file is wanted: the links heddle-cc and heddle-c++ are these commands.
  const std::string name = std::filesystem::path(argc > 0 ? argv[0] : "heddle").filename().string();
  for (const std::string language : {"cc", "c++"}) {
    if (name == "heddle-" + language) return fail(run_compiler(language, words));
    if (!words.empty() && words[0] == language) {
      return fail(run_compiler(language, {words.begin() + 1, words.end()}));
    }
  }
  try {
    return run(words);
  } catch (const std::exception& error) {
    return fail({fmt::format("internal error: {}", error.what()), Error::Kind::kInternal});
  }
}
