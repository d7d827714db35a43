#include "execute/debugger_command.h"

#include <fmt/format.h>

#include <cstdlib>

#include "execute/binary.h"
#include "execute/shell_words.h"

namespace heddle {
namespace {

// As all of them read it: both debuggers and the shell agree on quotes.
std::string quoted_variables(const DebuggerSession& session) {
  std::string result;
  for (const auto& [name, value] : session.environment) result += " " + shell_quoted(name + "=" + value);
  return result;
}

std::string quoted_arguments(const DebuggerSession& session) {
  std::string result;
  for (size_t i = 1; i < session.command.argv.size(); ++i)
    result += " " + shell_quoted(session.command.argv[i]);
  return result;
}

std::string python_quoted(const std::string& text) {
  std::string result = "'";
  for (const char c : text) {
    if (c == '\'' || c == '\\') result += '\\';
    result += c == '\n' ? "\\n" : std::string(1, c);
  }
  return result + "'";
}

// Of the user, then what is to be debugged.
void add_last_words(const char* variable, const DebuggerSession& session, std::vector<std::string>& words) {
  if (const char* more = std::getenv(variable)) {
    const std::vector<std::string> added = split_words(more);
    words.insert(words.end(), added.begin(), added.end());
  }
  words.push_back(session.program);
}

// Debian's packages install it under the name of its version only.
std::string lldb_name() {
  return resolve_program({.argv = {"lldb"}}) ? "lldb" : "lldb-19";
}

}  // namespace

std::vector<std::string> gdb_command(const DebuggerSession& session) {
  std::vector<std::string> words = {"gdb", "-q", "-iex", "set print thread-events off"};
  const auto execute = [&](const std::string& line) { words.insert(words.end(), {"-ex", line}); };
  execute("set disable-randomization on");
  execute("set confirm off");
  if (!session.command.directory.empty()) execute("set cwd " + session.command.directory);
  // A wrapper instead of `set environment`: the shell that gdb starts the program with must not load the
  // runtime.
  execute("set exec-wrapper env" + quoted_variables(session));
  execute(fmt::format("set args{} < {}", quoted_arguments(session), session.input));
  execute(fmt::format("source {}/heddle_gdb_replay.py", session.scripts));
  execute(fmt::format("python heddle_begin({})", session.tell_fd));
  // An exit is no stop by itself, and its exit code is all that the runtime could say.
  if (session.failure == trace::OutcomeKind::kExitCode) execute("catch syscall exit_group");
  execute("run");
  execute("python heddle_show_failure()");
  add_last_words("HEDDLE_GDB_ARGS", session, words);
  return words;
}

std::vector<std::string> lldb_command(const DebuggerSession& session) {
  std::vector<std::string> words = {lldb_name(), "--source-quietly"};
  const auto execute = [&](const std::string& line) { words.insert(words.end(), {"-o", line}); };
  execute("settings set target.env-vars" + quoted_variables(session));
  execute(fmt::format("command script import {}", shell_quoted(session.scripts + "/heddle_lldb_replay.py")));
  if (session.failure == trace::OutcomeKind::kExitCode) execute("breakpoint set --name _exit");
  std::string launch = "process launch --stdin " + session.input;
  if (!session.command.directory.empty())
    launch += " --working-dir " + shell_quoted(session.command.directory);
  launch += " --" + quoted_arguments(session);
  execute(fmt::format("script heddle_lldb_replay.run(lldb.debugger, {}, {}, {})", python_quoted(launch),
                      session.timeout.count() / 1000.0, session.tell_fd));
  add_last_words("HEDDLE_LLDB_ARGS", session, words);
  return words;
}

}  // namespace heddle
