// Runs a command to its end, with its output in a file.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "support/error.h"

namespace heddle {

struct ProcessRequest {
  std::vector<std::string> argv;                                 // argv[0] is looked up in PATH
  std::string directory;                                         // empty: the current one
  std::vector<std::pair<std::string, std::string>> environment;  // added to our own
  std::string output;  // file that standard output and error are appended to; empty: they are dropped
  std::optional<std::chrono::milliseconds> timeout;
  std::vector<int> inherited;           // open files that the command has, too
  std::function<void()> while_it_runs;  // called now and then; may be empty
};

struct CommandEnd {
  int exit_code = 0;  // meaningless if a signal ended it
  int signal = 0;
  bool timed_out = false;
  bool interrupted = false;  // by the user, who wants heddle to stop

  bool ok() const { return exit_code == 0 && signal == 0 && !timed_out && !interrupted; }
};
// "exit code 2", "SIGSEGV", "no end within 60 s".
std::string to_text(const CommandEnd& end);

// The command is the first of a process group. When its time is over, or the user interrupts heddle, it is
// told to end, and then it and all below it are killed. An error if it cannot be started.
Expected<CommandEnd> run_process(const ProcessRequest& request);

// The same for a command whose output is wanted: `output` must be empty.
struct CapturedProcess {
  CommandEnd end;
  std::string out;  // standard output only
};
Expected<CapturedProcess> capture_process(const ProcessRequest& request);

}  // namespace heddle
