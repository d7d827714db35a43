#include "common/process.h"

#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <sys/personality.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <string>

#include <fmt/format.h>

#include "support/cpu_time.h"

namespace heddle::bench {
namespace {

double seconds(const rusage& usage) {
  const auto of = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
  };
  return of(usage.ru_utime) + of(usage.ru_stime);
}

void pin_to_one_core() {
  cpu_set_t allowed;
  if (sched_getaffinity(0, sizeof allowed, &allowed) != 0) return;
  for (int core = 0; core < CPU_SETSIZE; ++core) {
    if (!CPU_ISSET(core, &allowed)) continue;
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(core, &one);
    sched_setaffinity(0, sizeof one, &one);
    return;
  }
}

[[noreturn]] void become(const std::vector<std::string>& argv, const ProcessOptions& options) {
  personality(ADDR_NO_RANDOMIZE);
  // A subject that crashes is expected to.
  const rlimit no_core{0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
  if (options.pinned) pin_to_one_core();
  if (!options.library_path.empty()) setenv("LD_LIBRARY_PATH", options.library_path.c_str(), 1);
  if (!options.folder.empty() && chdir(options.folder.c_str()) != 0) _exit(127);
  const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
  dup2(nowhere, STDOUT_FILENO);
  dup2(nowhere, STDERR_FILENO);
  std::vector<char*> words;
  for (const std::string& word : argv) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  execv(words[0], words.data());
  _exit(127);
}

bool ends_within(pid_t child, std::chrono::milliseconds timeout) {
  const int handle = static_cast<int>(syscall(SYS_pidfd_open, child, 0));
  if (handle < 0) return true;  // waiting will show what became of it
  pollfd ended{handle, POLLIN, 0};
  const auto deadline = std::chrono::steady_clock::now() + timeout;
  int events = -1;
  while (events < 0) {
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now());
    events = poll(&ended, 1, std::max(0, static_cast<int>(left.count())));
    if (events < 0 && errno != EINTR) break;
  }
  close(handle);
  return events > 0;
}

}  // namespace

Expected<EndedProcess> run_to_end(const std::vector<std::string>& argv, const ProcessOptions& options) {
  const pid_t child = fork();
  if (child < 0) return internal_error(fmt::format("cannot start {}: {}", argv[0], std::strerror(errno)));
  if (child == 0) become(argv, options);
  EndedProcess ended;
  if (options.timeout && !ends_within(child, *options.timeout)) {
    ended.timed_out = true;
    kill(child, SIGKILL);
  }
  int status = 0;
  rusage usage{};
  while (wait4(child, &status, 0, &usage) < 0) {
    if (errno != EINTR)
      return internal_error(fmt::format("lost sight of {}: {}", argv[0], std::strerror(errno)));
  }
  ended.usage = {seconds(usage), static_cast<uint64_t>(usage.ru_maxrss)};
  if (WIFEXITED(status)) ended.exit_code = WEXITSTATUS(status);
  return ended;
}

Expected<Usage> run_process(const std::vector<std::string>& argv, const ProcessOptions& options) {
  const Expected<EndedProcess> ended = run_to_end(argv, options);
  if (!ended) return tl::unexpected(ended.error());
  if (ended->exit_code != 0) {
    return internal_error(
        fmt::format("{} failed: {}", fmt::join(argv, " "),
                    ended->exit_code ? fmt::format("exit code {}", *ended->exit_code) : "ended by a signal"));
  }
  return ended->usage;
}

double cpu_seconds_so_far() {
  rusage self{};
  rusage children{};
  getrusage(RUSAGE_SELF, &self);
  getrusage(RUSAGE_CHILDREN, &children);
  return seconds(self) + seconds(children);
}

double cpu_seconds_with_running() {
  return cpu_time_with_children().count();
}

}  // namespace heddle::bench
