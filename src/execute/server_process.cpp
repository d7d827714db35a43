#include "execute/server_process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sched.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstring>

#include "support/check.h"
#include "support/interruption.h"

namespace heddle {
namespace {

// Live servers, for the signal handler: only lock-free reads are allowed there. More of them than this are of
// no use on one machine.
constexpr size_t kMaxServers = 1024;
std::array<std::atomic<pid_t>, kMaxServers> live_servers;

// Kills the children of a server, and their groups if they have their own. Daemons that the program has
// started are among them, since orphans below a server become its children. Which ones there are is the
// kernel's word, since the number in the arena can be overwritten by a broken program. Returns a number that
// tells the set of children apart from others. Async-signal-safe.
uint64_t kill_children_of(pid_t server) {
  char path[64];
  *fmt::format_to(path, "/proc/{0}/task/{0}/children", server) = '\0';
  const int fd = ::open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return 0;
  uint64_t seen = 0;
  pid_t child = 0;
  char list[4096];
  for (ssize_t size; (size = ::read(fd, list, sizeof(list))) > 0;) {
    for (ssize_t i = 0; i < size; ++i) {
      if (list[i] >= '0' && list[i] <= '9') {
        child = child * 10 + (list[i] - '0');
      } else if (child > 1) {
        if (::getpgid(child) == child) ::kill(-child, SIGKILL);
        ::kill(child, SIGKILL);
        seen = seen * 31 + static_cast<uint64_t>(child);
        child = 0;
      }
    }
  }
  ::close(fd);
  return seen;
}

void kill_all(pid_t server) {
  ::kill(server, SIGSTOP);  // it forks no more
  // Who dies leaves its own children to the server. A program that forks faster than this must be stopped by
  // other means.
  constexpr int kMaxRounds = 100;
  uint64_t before = 0;
  for (int round = 0; round < kMaxRounds; ++round) {
    const uint64_t seen = kill_children_of(server);
    if (seen == before) break;
    before = seen;
  }
  ::kill(-server, SIGKILL);
}

void kill_live_servers() {
  for (const pid_t server : live_servers) {
    if (server > 0) kill_all(server);
  }
}

void install_handlers() {
  end_with_the_tool(kill_live_servers);
  // A server that has died must be an error of write(), not the end of the tool.
  static const auto before = ::signal(SIGPIPE, SIG_IGN);
  static_cast<void>(before);
}

std::vector<char*> pointers_to(const std::vector<std::string>& words) {
  std::vector<char*> pointers;
  for (const std::string& word : words) pointers.push_back(const_cast<char*>(word.c_str()));
  pointers.push_back(nullptr);
  return pointers;
}

// What the new process does between fork and exec. The tool may have other threads, so only
// async-signal-safe calls are allowed; everything was prepared before.
struct Launch {
  const SpawnRequest& request;
  char* const* argv;
  char* const* envp;
  int error_fd;
  pid_t tool;

  [[noreturn]] void run() const {
    ::setpgid(0, 0);
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    ::prctl(PR_SET_CHILD_SUBREAPER, 1);
    if (::getppid() != tool) ::_exit(127);  // the tool died before the line above
    reset_signals();
    const int streams[] = {request.stdin_fd, request.stdout_fd, request.stderr_fd};
    for (int stream = 0; stream < 3; ++stream) {
      if (streams[stream] >= 0 && ::dup2(streams[stream], stream) < 0) fail();
    }
    for (const int fd : request.inherited) ::fcntl(fd, F_SETFD, 0);
    if (!request.directory.empty() && ::chdir(request.directory.c_str()) != 0) fail();
    // Refused in some containers. Identities do not depend on addresses, so that is survivable; `heddle
    // doctor` tells.
    const int current = ::personality(0xffffffff);
    const auto others = static_cast<unsigned long>(current) & ~static_cast<unsigned long>(ADDR_NO_RANDOMIZE);
    if (current != -1) ::personality(others | (request.fixed_addresses ? ADDR_NO_RANDOMIZE : 0));
    if (request.cpu >= 0) {
      cpu_set_t set;
      CPU_ZERO(&set);
      CPU_SET(static_cast<size_t>(request.cpu), &set);
      ::sched_setaffinity(0, sizeof(set), &set);
    }
    // Crashes are expected here, and must not leave core files behind.
    struct rlimit core{};
    ::getrlimit(RLIMIT_CORE, &core);
    core.rlim_cur = 0;
    ::setrlimit(RLIMIT_CORE, &core);
    ::execve(request.path.c_str(), argv, envp);
    fail();
  }

 private:
  static void reset_signals() {
    for (int signal = 1; signal < NSIG; ++signal) {
      struct sigaction action{};
      action.sa_handler = SIG_DFL;
      ::sigaction(signal, &action, nullptr);
    }
    sigset_t none;
    ::sigemptyset(&none);
    ::sigprocmask(SIG_SETMASK, &none, nullptr);
  }

  [[noreturn]] void fail() const {
    const int error = errno;
    [[maybe_unused]] const ssize_t ignored = ::write(error_fd, &error, sizeof(error));
    ::_exit(127);
  }
};

}  // namespace

Expected<ServerProcess> ServerProcess::spawn(const SpawnRequest& request) {
  install_handlers();
  const std::vector<std::string> environment = environment_with(request.environment);
  const std::vector<char*> argv = pointers_to(request.argv);
  const std::vector<char*> envp = pointers_to(environment);
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0)
    return internal_error(fmt::format("cannot create a pipe: {}", std::strerror(errno)));
  UniqueFd error_read(ends[0]);
  UniqueFd error_write(ends[1]);

  const Launch launch{request, argv.data(), envp.data(), error_write.get(), ::getpid()};
  const pid_t pid = ::fork();
  if (pid < 0) return internal_error(fmt::format("cannot start a process: {}", std::strerror(errno)));
  if (pid == 0) launch.run();
  ::setpgid(pid, pid);
  ServerProcess process(pid, UniqueFd(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0))));

  error_write.reset();
  int error = 0;
  ssize_t count;
  do {
    count = ::read(error_read.get(), &error, sizeof(error));
  } while (count < 0 && errno == EINTR);
  if (count == sizeof(error)) {
    return usage_error(fmt::format("cannot start {}: {}", request.path, std::strerror(error)));
  }
  return process;
}

ServerProcess::ServerProcess(pid_t pid, UniqueFd exit_fd) : pid_(pid), exit_fd_(std::move(exit_fd)) {
  for (slot_ = 0; slot_ < kMaxServers; ++slot_) {
    pid_t free = 0;
    if (live_servers[slot_].compare_exchange_strong(free, pid)) break;
  }
  HEDDLE_CHECK(slot_ < kMaxServers);
}

ServerProcess::ServerProcess(ServerProcess&& other) noexcept
    : pid_(std::exchange(other.pid_, -1)), exit_fd_(std::move(other.exit_fd_)), slot_(other.slot_) {}

ServerProcess& ServerProcess::operator=(ServerProcess&& other) noexcept {
  if (this != &other) {
    end();
    pid_ = std::exchange(other.pid_, -1);
    exit_fd_ = std::move(other.exit_fd_);
    slot_ = other.slot_;
  }
  return *this;
}

ServerProcess::~ServerProcess() {
  end();
}

void ServerProcess::kill_children() const {
  kill_children_of(pid_);
  ::kill(pid_, SIGCONT);  // if the program has stopped its parent
}

int ServerProcess::end() {
  if (pid_ < 0) return 0;
  kill_all(pid_);
  int status = 0;
  while (::waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
  }
  live_servers[slot_] = 0;
  pid_ = -1;
  exit_fd_.reset();
  return status;
}

std::vector<std::string> environment_with(const std::vector<std::pair<std::string, std::string>>& changes) {
  std::vector<std::string> result;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view word = *entry;
    const std::string_view name = word.substr(0, word.find('='));
    const bool replaced =
        std::any_of(changes.begin(), changes.end(), [&](const auto& change) { return change.first == name; });
    if (!replaced) result.emplace_back(word);
  }
  for (const auto& [name, value] : changes) result.push_back(name + "=" + value);
  return result;
}

namespace {

// The cores of the tool, as they were before any of its threads was moved.
const cpu_set_t& allowed_cpus() {
  static const cpu_set_t allowed = [] {
    cpu_set_t set;
    CPU_ZERO(&set);
    if (::sched_getaffinity(0, sizeof(set), &set) != 0) CPU_ZERO(&set);
    return set;
  }();
  return allowed;
}

// Where the thread has been moved to; -1: nowhere.
thread_local int moved_to = -1;

}  // namespace

int next_cpu() {
  static std::atomic<size_t> turn{0};
  const cpu_set_t& allowed = allowed_cpus();
  const auto count = static_cast<size_t>(CPU_COUNT(&allowed));
  if (count == 0) return -1;
  size_t wanted = turn++ % count;
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
    if (CPU_ISSET(static_cast<size_t>(cpu), &allowed) && wanted-- == 0) return cpu;
  }
  return -1;
}

void ThreadOnCpu::move(int cpu) {
  if (cpu < 0 || moved_to == cpu) return;
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(static_cast<size_t>(cpu), &set);
  if (::sched_setaffinity(0, sizeof(set), &set) != 0) return;
  moved_to = cpu;
  thread_ = ::gettid();
}

ThreadOnCpu::~ThreadOnCpu() {
  if (thread_ == 0) return;
  ::sched_setaffinity(thread_, sizeof(cpu_set_t), &allowed_cpus());
  if (thread_ == ::gettid()) moved_to = -1;
}

}  // namespace heddle
