// ServerProcess: the operating-system side of a fork server: starting it with the runtime inside, and making
// sure that neither it nor anything it started outlives its owner.
#pragma once

#include <sys/types.h>

#include <string>
#include <utility>
#include <vector>

#include "execute/unique_fd.h"
#include "support/error.h"

namespace heddle {

struct SpawnRequest {
  std::string path;  // the program, absolute
  std::vector<std::string> argv;
  std::string directory;                                         // empty: the tool's
  std::vector<std::pair<std::string, std::string>> environment;  // added to the tool's own
  int stdin_fd = -1;
  int stdout_fd = -1;
  int stderr_fd = -1;
  std::vector<int> inherited;   // descriptors that keep their numbers in the program
  int cpu = -1;                 // pin to this core; -1: do not pin
  bool fixed_addresses = true;  // switch address-space randomisation off, if the system lets us; false: on
};

class ServerProcess {
 public:
  static Expected<ServerProcess> spawn(const SpawnRequest& request);

  ServerProcess(ServerProcess&& other) noexcept;
  ServerProcess& operator=(ServerProcess&& other) noexcept;
  ~ServerProcess();

  pid_t pid() const { return pid_; }
  // Becomes readable when the process has ended.
  int exit_fd() const { return exit_fd_.get(); }

  // Kills the execution that is running now, with what it started, or what it has left behind. The server
  // lives on and reports its end.
  void kill_children() const;

  // Kills and reaps everything; returns the server's wait status.
  int end();

 private:
  ServerProcess(pid_t pid, UniqueFd exit_fd);

  pid_t pid_ = -1;
  UniqueFd exit_fd_;
  size_t slot_ = 0;
};

// The environment of this process with `changes` applied, as "NAME=value" words.
std::vector<std::string> environment_with(const std::vector<std::pair<std::string, std::string>>& changes);

// A core that the tool may use; successive calls go round, so that servers spread out.
int next_cpu();

// Keeps the thread that runs a server on the server's core. They never run at the same time, and to wake each
// other across cores costs more than the rest of what the tool does for an execution.
class ThreadOnCpu {
 public:
  ThreadOnCpu() = default;
  ThreadOnCpu(const ThreadOnCpu&) = delete;
  ~ThreadOnCpu();

  // Moves the calling thread, if it is not there; -1: does nothing.
  void move(int cpu);

 private:
  pid_t thread_ = 0;
};

}  // namespace heddle
