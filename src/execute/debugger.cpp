#include "execute/debugger.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstring>
#include <optional>

#include "execute/arena.h"
#include "execute/binary.h"
#include "execute/debugger_command.h"
#include "execute/outcome.h"
#include "execute/runtime_location.h"
#include "support/check.h"

namespace heddle {
namespace {

// The descriptors that the program inherits get numbers this high, so that its own start where they always
// do.
constexpr int kFirstInheritedFd = 900;

Expected<UniqueFd> inheritable(int fd) {
  UniqueFd high(::fcntl(fd, F_DUPFD, kFirstInheritedFd));
  if (!high) high = UniqueFd(::dup(fd));  // the limit on open files is lower than that
  if (!high) return internal_error(fmt::format("cannot open more files: {}", std::strerror(errno)));
  return high;
}

// While the debugger has the terminal, Ctrl-C and the like are meant for it.
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

// What the script wrote; nothing if the debugger ended without.
std::optional<ProcessEnd> parse_end(std::string_view told) {
  constexpr std::string_view kSignal = "signal ";
  constexpr std::string_view kExit = "exit ";
  ProcessEnd end;
  if (told == "timeout") {
    end.wait_status = SIGINT;
    end.timed_out = true;
    return end;
  }
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

// Waits until the debugger has told of the program's end or has ended. If that does not come in time, the
// process `to_interrupt` gets a signal; returns whether it came to that.
bool wait_for_end(int fd, pid_t to_interrupt, std::chrono::milliseconds timeout) {
  pollfd wait{fd, POLLIN, 0};
  const auto deadline = std::chrono::steady_clock::now() + timeout;
  for (;;) {
    const auto left =
        std::chrono::ceil<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now());
    const int ready = ::poll(&wait, 1, static_cast<int>(std::clamp<int64_t>(left.count(), 0, 1 << 30)));
    if (ready > 0) return false;
    if (ready == 0 && left.count() <= 0) break;
  }
  ::kill(to_interrupt, SIGINT);
  while (::poll(&wait, 1, -1) < 0 && errno == EINTR) {
  }
  return true;
}

// What the program came to. Nothing if that is not known: the debugger was left, or the user interrupted it.
std::optional<ProcessEnd> read_end(int fd, bool interrupted) {
  char buffer[64];
  const ssize_t count = ::read(fd, buffer, sizeof(buffer));
  std::optional<ProcessEnd> end = parse_end({buffer, count > 0 ? static_cast<size_t>(count) : 0});
  if (end && end->wait_status == SIGINT) {
    end->timed_out = end->timed_out || interrupted;
    if (!end->timed_out) return std::nullopt;
  }
  return end;
}

// The debugger on this process's terminal; returns its process id.
Expected<pid_t> start_debugger(std::vector<std::string> words, const IgnoredInterrupts& interrupts) {
  const Expected<std::string> path = resolve_program({.argv = {words.front()}});
  if (!path)
    return usage_error(fmt::format("{} is not installed; install it, or replay without it", words.front()));
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  const pid_t tool = ::getpid();
  const pid_t pid = ::fork();
  if (pid < 0) return internal_error(fmt::format("cannot start {}: {}", words.front(), std::strerror(errno)));
  if (pid > 0) return pid;
  interrupts.restore();
  ::prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (::getppid() == tool) ::execv(path->c_str(), pointers.data());
  ::_exit(127);
}

}  // namespace

Expected<DebuggedExecution> debug_execution(Debugger debugger, const TestCommand& command, const Input& input,
                                            const ExecutionRequest& request) {
  HEDDLE_CHECK(request.schedule != nullptr);
  const trace::Schedule& schedule = *request.schedule;
  Expected<std::string> program = resolve_program(command);
  if (!program) return tl::unexpected(program.error());
  Expected<std::string> runtime = find_runtime();
  if (!runtime) return tl::unexpected(runtime.error());
  Expected<std::string> scripts = find_debugger_scripts(*runtime);
  if (!scripts) return tl::unexpected(scripts.error());
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

  // lldb leaves the program no descriptors but the first three; it can still open them as files of the
  // tool's.
  const bool inherits = debugger == Debugger::kGdb;
  const std::string tool_fds = fmt::format("/proc/{}/fd/", ::getpid());
  const std::string arena_name = std::to_string(arena_fd->get());
  DebuggerSession session;
  session.program = *program;
  session.scripts = *scripts;
  session.command = command;
  session.environment = runtime_environment(*runtime, command, inherits ? arena_name : tool_fds + arena_name);
  session.failure = schedule.failure;
  session.input = (inherits ? "/proc/self/fd/" : tool_fds) + std::to_string(input_fd->get());
  session.timeout = request.timeout;
  session.tell_fd = tell_fd->get();
  const IgnoredInterrupts interrupts;
  const Expected<pid_t> pid =
      start_debugger(debugger == Debugger::kGdb ? gdb_command(session) : lldb_command(session), interrupts);
  if (!pid) return tl::unexpected(pid.error());
  // The tool's own copies go, so that the debugger's end shows as the end of the pipe.
  tell.reset();
  tell_fd->reset();
  // lldb, which a signal does not interrupt, looks at the clock itself.
  const bool interrupted = debugger == Debugger::kGdb && wait_for_end(told.get(), *pid, request.timeout);
  std::optional<ProcessEnd> end = read_end(told.get(), interrupted);
  while (::waitpid(*pid, nullptr, 0) < 0 && errno == EINTR) {
  }
  if (!end) return internal_error("the debugger was left before the program had come to its end");

  end->timeout = request.timeout;
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
