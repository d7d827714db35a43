// ProgramRunner: runs a program on an input, in a sandbox (interact/sandbox): an empty folder, limits, no
// terminal, no network, nothing of the user's files can be written. Everything that it started ends with it.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

#include "interact/concolic/program_input.h"
#include "interact/trial/behaviour.h"
#include "support/error.h"

namespace heddle::interact {

struct RunLimits {
  std::chrono::milliseconds timeout{2'000};
  uint64_t memory = uint64_t{1} << 30;       // of the address space, or what is used of it under a sanitizer
  uint64_t most_output = uint64_t{1} << 20;  // of each stream, and of each file
  std::string file_name;                     // of the input file in the scratch folder; empty: there is none
  std::string program_name;                  // argv[0]; empty: that of the file
  bool no_namespaces = false;                // as on a machine that has none
};

class ProgramRunner {
 public:
  static Expected<ProgramRunner> create(const std::filesystem::path& program,
                                        const std::filesystem::path& folder, const RunLimits& limits);
  ProgramRunner(ProgramRunner&&) noexcept;
  ProgramRunner& operator=(ProgramRunner&&) noexcept;
  ~ProgramRunner();

  // `variation`: 0 is the usual one; others have other uninitialised memory (heap and stack), addresses,
  // time, process number, folder and environment, for programs whose behaviour depends on these.
  Expected<Behaviour> run(const concolic::ProgramInput& input, unsigned variation = 0);

  // "" if all of it works here, else a sentence on what does not.
  const std::string& confinement() const;

 private:
  struct State;
  explicit ProgramRunner(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace heddle::interact
