#include "execute/debugger.h"

#include <fcntl.h>
#include <fmt/format.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <sstream>

#include "execute/arena.h"
#include "execute/binary.h"
#include "execute/runtime_location.h"
#include "execute/shell_words.h"
#include "support/check.h"

namespace heddle {
namespace {

// Makes a descriptor survive exec; gdb hands on what it was started with.
int inheritable(int fd) {
  ::fcntl(fd, F_SETFD, 0);
  return fd;
}

// After the stop: from the runtime's frames (it is loaded as libtsan.so.2) up to the program's.
constexpr const char* kSelectProgramFrame =
    "python\n"
    "frame = gdb.newest_frame() if gdb.selected_thread() else None\n"
    "while frame and 'tsan' in (gdb.solib_name(frame.pc()) or ''): frame = frame.older()\n"
    "if frame: frame.select(); gdb.execute('frame')\n";

struct Session {
  std::string program;
  TestCommand command;
  std::vector<std::pair<std::string, std::string>> environment;
  int input_fd;
};

std::vector<std::string> gdb_command(const Session& session) {
  // A wrapper instead of `set environment`: the shell that gdb starts the program with must not load the
  // runtime.
  std::string wrapper = "set exec-wrapper env";
  for (const auto& [name, value] : session.environment) wrapper += " " + shell_quoted(name + "=" + value);
  std::string arguments = "set args";
  for (size_t i = 1; i < session.command.argv.size(); ++i)
    arguments += " " + shell_quoted(session.command.argv[i]);
  arguments += fmt::format(" < /proc/self/fd/{}", session.input_fd);

  std::vector<std::string> words = {"gdb", "-q", "-iex", "set print thread-events off"};
  const auto execute = [&](const std::string& line) { words.insert(words.end(), {"-ex", line}); };
  execute("set disable-randomization on");
  execute("set confirm off");
  if (!session.command.directory.empty()) execute("set cwd " + session.command.directory);
  execute(wrapper);
  execute(arguments);
  execute("run");
  execute(kSelectProgramFrame);
  if (const char* more = std::getenv("HEDDLE_GDB_ARGS")) {
    // One word per line when there are several lines, so that a gdb command can contain blanks.
    std::istringstream stream(more);
    const char separator = std::strchr(more, '\n') != nullptr ? '\n' : ' ';
    for (std::string word; std::getline(stream, word, separator);) {
      if (!word.empty()) words.push_back(word);
    }
  }
  words.push_back(session.program);
  return words;
}

}  // namespace

Error debug_execution(const TestCommand& command, const Input& input, const ExecutionRequest& request) {
  HEDDLE_CHECK(request.schedule != nullptr);
  const trace::Schedule& schedule = *request.schedule;
  Expected<std::string> program = resolve_program(command);
  if (!program) return program.error();
  Expected<std::string> runtime = find_runtime();
  if (!runtime) return runtime.error();
  Expected<Arena> arena = Arena::create({});
  if (!arena) return arena.error();
  if (Expected<void> put = trace::put_into_arena(schedule, &arena->header()); !put) return put.error();
  write_request(request, arena->header().request);
  arena->header().request.flags |= trace::request_flag::kStopInDebugger;
  Expected<UniqueFd> stdin_fd = input.open();
  if (!stdin_fd) return stdin_fd.error();

  Session session;
  session.program = *program;
  session.command = command;
  session.environment = runtime_environment(*runtime, command, std::to_string(inheritable(arena->fd())));
  session.input_fd = inheritable(stdin_fd->get());
  std::vector<std::string> words = gdb_command(session);
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  ::execvp("gdb", pointers.data());
  if (errno == ENOENT) return {"gdb is not installed; install it, or replay without --gdb"};
  return {fmt::format("cannot start gdb: {}", std::strerror(errno)), Error::Kind::kInternal};
}

}  // namespace heddle
