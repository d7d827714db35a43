#include "execute/debugger.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <optional>

#include "execute/arena.h"
#include "execute/binary.h"
#include "execute/outcome.h"
#include "execute/runtime_location.h"
#include "execute/shell_words.h"
#include "support/check.h"

namespace heddle {
namespace {

// The descriptors that the program inherits get numbers this high, so that its own start where they always
// do.
constexpr int kFirstInheritedFd = 900;

// Signals that mean something to the program pass by; those that end it stop there, and so does heddle's own
// trap. In Python because `handle` prints a table.
constexpr const char* kHandleSignals =
    "python\n"
    "gdb.execute('handle all nostop noprint pass', to_string=True)\n"
    "gdb.execute('handle SIGSEGV SIGBUS SIGFPE SIGILL SIGABRT SIGSYS SIGTRAP SIGINT stop print', "
    "to_string=True)\n";

// Tells the tool once how the program came to its end: by a signal, or by an exit, which is a stop if it is
// caught. Breakpoints and steps of the user are none. The program must not inherit the descriptor.
constexpr const char* kTellTheEnd =
    "python\n"
    "import os\n"
    "os.set_inheritable({0}, False)\n"
    "def heddle_tell(text):\n"
    "  gdb.events.stop.disconnect(heddle_stopped)\n"
    "  gdb.events.exited.disconnect(heddle_exited)\n"
    "  os.write({0}, text.encode())\n"
    "  os.close({0})\n"
    "def heddle_stopped(event):\n"
    "  if isinstance(event, gdb.SignalEvent): heddle_tell('signal ' + event.stop_signal)\n"
    "  elif int(gdb.parse_and_eval('$orig_rax')) == {1}: heddle_tell('exit %d' % "
    "gdb.parse_and_eval('$rdi'))\n"
    "def heddle_exited(event): heddle_tell('exit %d' % getattr(event, 'exit_code', 0))\n"
    "gdb.events.stop.connect(heddle_stopped)\n"
    "gdb.events.exited.connect(heddle_exited)\n";

// After the stop: to the thread that the failure is told of, if threads are kernel threads, and from the
// frames of the runtime (it is loaded as libtsan.so.2) and of libraries up to the program's.
constexpr const char* kSelectProgramFrame =
    "python\n"
    "def heddle_select_thread():\n"
    "  try: wanted = int(gdb.parse_and_eval(\"'heddle::rt::rt'.current->kernel_thread\"))\n"
    "  except gdb.error: return\n"
    "  for thread in gdb.selected_inferior().threads():\n"
    "    if thread.ptid[1] == wanted: thread.switch()\n"
    "heddle_select_thread()\n"
    "def heddle_is_program(frame):\n"
    "  library = gdb.solib_name(frame.pc()) or ''\n"
    "  file = frame.find_sal().symtab.fullname() if frame.find_sal().symtab else ''\n"
    "  return not library.startswith(('/lib', '/usr/lib')) and 'tsan' not in library and bool(file) and "
    "not file.startswith('/usr/')\n"
    "frame = gdb.newest_frame() if gdb.selected_thread() else None\n"
    "while frame and not heddle_is_program(frame): frame = frame.older()\n"
    "if frame: frame.select()\n"
    "if gdb.selected_thread(): gdb.execute('frame')\n";

Expected<UniqueFd> inheritable(int fd) {
  UniqueFd high(::fcntl(fd, F_DUPFD, kFirstInheritedFd));
  if (!high) high = UniqueFd(::dup(fd));  // the limit on open files is lower than that
  if (!high) return internal_error(fmt::format("cannot open more files: {}", std::strerror(errno)));
  return high;
}

struct Session {
  std::string program;
  TestCommand command;
  std::vector<std::pair<std::string, std::string>> environment;
  std::optional<trace::OutcomeKind> failure;  // that is expected
  int input_fd = -1;
  int tell_fd = -1;
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
  execute(kHandleSignals);
  if (!session.command.directory.empty()) execute("set cwd " + session.command.directory);
  execute(wrapper);
  execute(arguments);
  execute(fmt::format(fmt::runtime(kTellTheEnd), session.tell_fd, SYS_exit_group));
  // An exit is no stop by itself, and its exit code is all that the runtime could say.
  if (session.failure == trace::OutcomeKind::kExitCode) execute("catch syscall exit_group");
  execute("run");
  execute(kSelectProgramFrame);
  if (const char* more = std::getenv("HEDDLE_GDB_ARGS")) {
    const std::vector<std::string> added = split_words(more);
    words.insert(words.end(), added.begin(), added.end());
  }
  words.push_back(session.program);
  return words;
}

// While gdb has the terminal, Ctrl-C and the like are meant for it.
class IgnoredInterrupts {
 public:
  IgnoredInterrupts() {
    struct sigaction ignore{};
    ignore.sa_handler = SIG_IGN;
    ::sigaction(SIGINT, &ignore, &interrupt_);
    ::sigaction(SIGQUIT, &ignore, &quit_);
  }
  ~IgnoredInterrupts() { restore(); }
  IgnoredInterrupts(const IgnoredInterrupts&) = delete;

  void restore() const {
    ::sigaction(SIGINT, &interrupt_, nullptr);
    ::sigaction(SIGQUIT, &quit_, nullptr);
  }

 private:
  struct sigaction interrupt_{};
  struct sigaction quit_{};
};

int signal_number(std::string_view name) {
  for (int signal = 1; signal < NSIG; ++signal) {
    const char* abbreviation = ::sigabbrev_np(signal);
    if (abbreviation != nullptr && name == std::string("SIG") + abbreviation) return signal;
  }
  return 0;
}

// What kTellTheEnd wrote; nothing if gdb ended without.
std::optional<ProcessEnd> parse_end(std::string_view told) {
  constexpr std::string_view kSignal = "signal ";
  constexpr std::string_view kExit = "exit ";
  ProcessEnd end;
  if (told.starts_with(kSignal)) {
    end.wait_status = signal_number(told.substr(kSignal.size()));
    return end;
  }
  if (!told.starts_with(kExit)) return std::nullopt;
  int code = 0;
  std::from_chars(told.data() + kExit.size(), told.data() + told.size(), code);
  end.wait_status = code << 8;
  return end;
}

// Waits for the program's end, and interrupts it if that does not come in time. Nothing if it is not known
// what the program would have come to: gdb was left, or the user interrupted it.
std::optional<ProcessEnd> wait_for_end(int fd, pid_t gdb, std::chrono::milliseconds timeout) {
  bool interrupted = false;
  pollfd wait{fd, POLLIN, 0};
  const auto deadline = std::chrono::steady_clock::now() + timeout;
  for (;;) {
    const auto left =
        std::chrono::ceil<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now());
    const int ready =
        ::poll(&wait, 1, interrupted ? -1 : static_cast<int>(std::clamp<int64_t>(left.count(), 0, 1 << 30)));
    if (ready > 0) break;
    if (ready < 0 || left.count() > 0) continue;
    interrupted = true;
    ::kill(gdb, SIGINT);
  }
  char buffer[64];
  const ssize_t count = ::read(fd, buffer, sizeof(buffer));
  std::optional<ProcessEnd> end = parse_end({buffer, count > 0 ? static_cast<size_t>(count) : 0});
  if (end && end->wait_status == SIGINT) {
    if (!interrupted) return std::nullopt;
    end->timed_out = true;
    end->timeout = timeout;
  }
  return end;
}

// gdb on this process's terminal; returns its process id.
Expected<pid_t> start_gdb(std::vector<std::string> words, const IgnoredInterrupts& interrupts) {
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  const Expected<std::string> path = resolve_program({.argv = {"gdb"}});
  if (!path) return usage_error("gdb is not installed; install it, or replay without --gdb");
  const pid_t tool = ::getpid();
  const pid_t pid = ::fork();
  if (pid < 0) return internal_error(fmt::format("cannot start gdb: {}", std::strerror(errno)));
  if (pid > 0) return pid;
  interrupts.restore();
  ::prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (::getppid() == tool) ::execv(path->c_str(), pointers.data());
  ::_exit(127);
}

}  // namespace

Expected<DebuggedExecution> debug_execution(const TestCommand& command, const Input& input,
                                            const ExecutionRequest& request) {
  HEDDLE_CHECK(request.schedule != nullptr);
  const trace::Schedule& schedule = *request.schedule;
  Expected<std::string> program = resolve_program(command);
  if (!program) return tl::unexpected(program.error());
  Expected<std::string> runtime = find_runtime();
  if (!runtime) return tl::unexpected(runtime.error());
  Expected<Arena> arena = Arena::create({});
  if (!arena) return tl::unexpected(arena.error());
  trace::ArenaHeader& header = arena->header();
  if (Expected<void> put = trace::put_into_arena(schedule, &header); !put) return tl::unexpected(put.error());
  write_request(request, header.request);
  header.request.flags |= trace::request_flag::kStopInDebugger;

  Expected<UniqueFd> stdin_fd = input.open();
  if (!stdin_fd) return tl::unexpected(stdin_fd.error());
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0)
    return internal_error(fmt::format("cannot create a pipe: {}", std::strerror(errno)));
  const UniqueFd told(ends[0]);
  UniqueFd tell(ends[1]);
  Expected<UniqueFd> arena_fd = inheritable(arena->fd());
  Expected<UniqueFd> input_fd = inheritable(stdin_fd->get());
  Expected<UniqueFd> tell_fd = inheritable(tell.get());
  for (const Expected<UniqueFd>* fd : {&arena_fd, &input_fd, &tell_fd}) {
    if (!*fd) return tl::unexpected(fd->error());
  }

  Session session;
  session.program = *program;
  session.command = command;
  session.environment = runtime_environment(*runtime, command, std::to_string(arena_fd->get()));
  session.failure = schedule.failure;
  session.input_fd = input_fd->get();
  session.tell_fd = tell_fd->get();
  const IgnoredInterrupts interrupts;
  const Expected<pid_t> gdb = start_gdb(gdb_command(session), interrupts);
  if (!gdb) return tl::unexpected(gdb.error());
  // The tool's own copies go, so that gdb's end shows as the end of the pipe.
  tell.reset();
  tell_fd->reset();
  std::optional<ProcessEnd> end = wait_for_end(told.get(), *gdb, request.timeout);
  while (::waitpid(*gdb, nullptr, 0) < 0 && errno == EINTR) {
  }
  if (!end) return internal_error("gdb was left before the program had come to its end");

  end->stop_at_divergence = request.stop_at_divergence;
  DebuggedExecution execution;
  execution.outcome = merge_outcome(header.outcome, *end);
  if (execution.outcome.diverged_step != 0) {
    execution.divergence =
        describe_divergence(schedule, execution.outcome, trace::Trace::view_of(&header, arena->size()));
  }
  return execution;
}

}  // namespace heddle
