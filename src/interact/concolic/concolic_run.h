// ConcolicRunner: runs an instrumented program on inputs, each in a sandbox (interact/sandbox), with limits.
//
// A run is repeatable as far as heddle can make it: the address space is not randomised, the environment is
// the same, the folder that it runs in holds nothing but the input file and is emptied afterwards.
#pragma once

#include <chrono>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "interact/concolic/program_input.h"
#include "interact/concolic/recording.h"
#include "support/error.h"

namespace heddle::concolic {

struct RunnerOptions {
  std::filesystem::path program;
  std::filesystem::path folder;  // of the runner's own, made if it is not there
  std::string file_name;         // of the input file, in that folder; empty: there is none
  std::vector<std::pair<std::string, std::string>> environment;

  uint32_t symbolic = symbolic::kArguments | symbolic::kStandardInput | symbolic::kFile;
  uint32_t slack = 8;  // by how much an argument can grow at most at once
  InputLimits input;

  std::chrono::milliseconds timeout{10'000};
  uint64_t memory = uint64_t{1} << 30;       // of the address space, without the arena
  uint64_t most_output = uint64_t{1} << 20;  // of each stream; more of it ends the program with SIGXFSZ

  uint32_t most_nodes = 1U << 20;
  uint32_t most_events = 1U << 18;
  uint32_t most_tables = 1U << 12;
  uint32_t most_table_bytes = 1U << 22;
};

struct ConcolicRun {
  int exit_code = 0;  // meaningless if a signal ended it
  int signal = 0;
  bool timed_out = false;
  std::string out;
  std::string err;
  std::chrono::nanoseconds cpu_time{};
  Recording recording;
  std::string damage;  // why there is no recording
};

class ConcolicRunner {
 public:
  // Asks the program for its sites, which also shows whether it is instrumented.
  static Expected<ConcolicRunner> create(RunnerOptions options);

  ConcolicRunner(ConcolicRunner&&) noexcept;
  ConcolicRunner& operator=(ConcolicRunner&&) noexcept;
  ~ConcolicRunner();

  // An error if the program cannot be started at all.
  Expected<ConcolicRun> run(const ProgramInput& input);

  const std::vector<Site>& sites() const;
  // The site in the program's own code: of the call, if the event is in a libc function.
  const Site& program_site(const Event& event) const;
  const RunnerOptions& options() const;

 private:
  struct State;
  explicit ConcolicRunner(std::unique_ptr<State> state);

  std::unique_ptr<State> state_;
};

}  // namespace heddle::concolic
