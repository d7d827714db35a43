#include "support/process.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fstream>

#include <fmt/format.h>

#include "support/interruption.h"

namespace heddle {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds kLookInterval{200};  // at what else there is to do
constexpr std::chrono::seconds kTimeToEnd{5};            // for a command that was told to

struct Child {
  pid_t pid = -1;
  int pid_fd = -1;
};

// For the signal handler.
constexpr size_t kMaxCommands = 256;
std::array<std::atomic<pid_t>, kMaxCommands> live_commands;

// Build tools that are told to end also end what they have started in groups of its own.
void end_live_commands() {
  for (const pid_t command : live_commands) {
    if (command > 0) ::kill(-command, SIGTERM);
  }
}

// A command that a signal which ends heddle ends, too.
class LiveCommand {
 public:
  explicit LiveCommand(pid_t pid) {
    for (auto& slot : live_commands) {
      pid_t free = 0;
      if (!slot.compare_exchange_strong(free, pid)) continue;
      slot_ = &slot;
      break;
    }
  }
  LiveCommand(const LiveCommand&) = delete;
  ~LiveCommand() {
    if (slot_ != nullptr) *slot_ = 0;
  }

 private:
  std::atomic<pid_t>* slot_ = nullptr;
};

// The command and all below it, in whatever groups.
void kill_tree(pid_t pid) {
  ::kill(pid, SIGSTOP);  // it starts no more
  std::ifstream children(fmt::format("/proc/{0}/task/{0}/children", pid));
  for (pid_t child; children >> child;) kill_tree(child);
  ::kill(pid, SIGKILL);
}

// In the child: everything that can fail says so through `errors`.
[[noreturn]] void become(const ProcessRequest& request, const std::vector<char*>& argv, int out, int err,
                         int errors) {
  ::setpgid(0, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGTERM);
  for (const auto& [name, value] : request.environment) ::setenv(name.c_str(), value.c_str(), 1);
  for (const int fd : request.inherited) ::fcntl(fd, F_SETFD, 0);
  const int in = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
  const bool ready = in >= 0 && ::dup2(in, 0) >= 0 && ::dup2(out, 1) >= 0 && ::dup2(err, 2) >= 0 &&
                     (request.directory.empty() || ::chdir(request.directory.c_str()) == 0);
  if (ready) ::execvp(argv[0], argv.data());
  const int error = errno;
  [[maybe_unused]] const ssize_t written = ::write(errors, &error, sizeof(error));
  ::_exit(127);
}

Expected<Child> start(const ProcessRequest& request, int out, int err) {
  end_with_the_tool(end_live_commands);
  std::vector<std::string> words = request.argv;
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  int errors[2];
  if (::pipe2(errors, O_CLOEXEC) != 0)
    return internal_error(fmt::format("cannot make a pipe: {}", std::strerror(errno)));
  const pid_t pid = ::fork();
  if (pid == 0) become(request, argv, out, err, errors[1]);
  ::close(errors[1]);
  int error = 0;
  const bool failed = pid < 0 || ::read(errors[0], &error, sizeof(error)) == sizeof(error);
  ::close(errors[0]);
  if (failed) {
    if (pid > 0) ::waitpid(pid, nullptr, 0);
    return usage_error(fmt::format("cannot start {}: {}", request.argv[0], std::strerror(error)));
  }
  Child child;
  child.pid = pid;
  child.pid_fd = static_cast<int>(::syscall(SYS_pidfd_open, pid, 0));
  return child;
}

// How long to wait at most until there is something else to look at.
int milliseconds_to_wait(const std::optional<Clock::time_point>& deadline) {
  if (!deadline) return static_cast<int>(kLookInterval.count());
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(*deadline - Clock::now());
  return static_cast<int>(std::clamp<int64_t>(left.count(), 0, kLookInterval.count()));
}

// Waits until the command has ended; reads what comes from `from` (-1: nothing). False when it has to stop:
// its time is over, or heddle was interrupted.
bool wait_until_ended(const Child& child, const ProcessRequest& request, int from, std::string* text) {
  std::optional<Clock::time_point> deadline;
  if (request.timeout) deadline = Clock::now() + *request.timeout;
  bool ended = false;
  while (!ended || from >= 0) {
    if (!ended && (was_interrupted() || (deadline && Clock::now() >= *deadline))) return false;
    pollfd waits[2] = {{child.pid_fd, POLLIN, 0}, {from, POLLIN, 0}};
    // What the child leaves behind may keep the pipe open; its own output has been read by then.
    const int ready = ::poll(waits, 2, ended ? 0 : milliseconds_to_wait(deadline));
    if (request.while_it_runs) request.while_it_runs();
    if (ready < 0 && errno == EINTR) continue;
    if (from >= 0 && (waits[1].revents & (POLLIN | POLLHUP)) != 0) {
      char buffer[1 << 16];
      const ssize_t count = ::read(from, buffer, sizeof(buffer));
      if (count > 0) text->append(buffer, static_cast<size_t>(count));
      if (count == 0) from = -1;
      continue;
    }
    if (ended) break;
    if ((waits[0].revents & POLLIN) != 0) ended = true;
  }
  return true;
}

// Build tools leave nothing half done behind if they are asked.
void make_it_end(const Child& child) {
  ::kill(-child.pid, SIGTERM);
  pollfd wait{child.pid_fd, POLLIN, 0};
  const auto last_moment = Clock::now() + kTimeToEnd;
  while (::poll(&wait, 1, milliseconds_to_wait(last_moment)) <= 0 && Clock::now() < last_moment) {
  }
  kill_tree(child.pid);
  ::kill(-child.pid, SIGKILL);
}

CommandEnd wait_for(const Child& child, const ProcessRequest& request, int from, std::string* text) {
  const LiveCommand live(child.pid);
  CommandEnd end;
  if (!wait_until_ended(child, request, from, text)) {
    end.interrupted = was_interrupted();
    end.timed_out = !end.interrupted;
    make_it_end(child);
  }
  int status = 0;
  while (::waitpid(child.pid, &status, 0) < 0 && errno == EINTR) {
  }
  ::close(child.pid_fd);
  if (WIFSIGNALED(status))
    end.signal = WTERMSIG(status);
  else
    end.exit_code = WEXITSTATUS(status);
  return end;
}

}  // namespace

std::string to_text(const CommandEnd& end) {
  if (end.timed_out) return "did not end in time";
  if (end.interrupted) return "interrupted";
  if (end.signal != 0) return fmt::format("SIG{}", ::sigabbrev_np(end.signal));
  return fmt::format("exit code {}", end.exit_code);
}

Expected<CommandEnd> run_process(const ProcessRequest& request) {
  const std::string file = request.output.empty() ? "/dev/null" : request.output;
  const int out = ::open(file.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (out < 0) return usage_error(fmt::format("cannot write {}: {}", file, std::strerror(errno)));
  const Expected<Child> child = start(request, out, out);
  ::close(out);
  if (!child) return tl::unexpected(child.error());
  return wait_for(*child, request, -1, nullptr);
}

Expected<CapturedProcess> capture_process(const ProcessRequest& request) {
  int pipe[2];
  if (::pipe2(pipe, O_CLOEXEC) != 0)
    return internal_error(fmt::format("cannot make a pipe: {}", std::strerror(errno)));
  const int err = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
  const Expected<Child> child = start(request, pipe[1], err);
  ::close(pipe[1]);
  ::close(err);
  CapturedProcess captured;
  if (child) captured.end = wait_for(*child, request, pipe[0], &captured.out);
  ::close(pipe[0]);
  if (!child) return tl::unexpected(child.error());
  return captured;
}

}  // namespace heddle
