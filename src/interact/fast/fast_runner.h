// FastRunner: several versions of a program, each executed on the same inputs, hundred thousand times a
// second.
//
// Versions live in this process (loaded_program.h) as long as that shows what a process would. Where it does
// not, for one input or for all, every version runs in a process of its own (trial/program_runner.h): a
// behaviour in this process is only ever compared with others of that kind.
//
// Use it in a process that can be lost, like heddle-interact-host.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "interact/concolic/program_input.h"
#include "interact/fast/layout.h"
#include "interact/fast/loaded_program.h"
#include "interact/trial/behaviour.h"
#include "interact/trial/program_runner.h"
#include "support/error.h"

namespace heddle::fast {

// The order of versions where there are a base, a head, and golden ones.
inline constexpr size_t kBaseVersion = 0;
inline constexpr size_t kHeadVersion = 1;
// That find room in one process (kernel/machine.h).
inline constexpr size_t kMostVersions = 16;

struct FastVersion {
  std::filesystem::path fast;   // empty: there is none
  std::string why_not;          // then
  std::filesystem::path plain;  // as a process
};

struct FastOptions {
  std::vector<FastVersion> versions;
  std::filesystem::path folder;            // for processes
  interact::RunLimits limits;              // of processes; all but the time hold here, too
  std::chrono::milliseconds timeout{100};  // of CPU time, in this process
};

// What one version did. Views are valid until the next run.
struct VersionRun {
  RunEnd end = RunEnd::kExit;
  int exit_code = 0;
  int signal = 0;
  std::string_view out;
  std::string_view err;
  bool damages_heap = false;  // it wrote beyond what it had allocated, or freed what it must not
  const interact::Behaviour* process = nullptr;  // what it did in a process, if it ran in one

  // It ended by itself.
  bool is_complete() const { return end == RunEnd::kExit || end == RunEnd::kSignal; }
};

// Both must be of the same input. Two that were ended for time or output count as equal.
bool behave_the_same(const VersionRun& a, const VersionRun& b);

class FastRunner {
 public:
  static Expected<FastRunner> create(FastOptions options);
  FastRunner(FastRunner&&) noexcept;
  FastRunner& operator=(FastRunner&&) noexcept;
  ~FastRunner();

  // One for each of the first `versions`, in their order. An error if a process cannot be started.
  Expected<std::span<const VersionRun>> run(const concolic::ProgramInput& input, bool wants_compares = false,
                                            size_t versions = ~size_t{0});

  // Starts what runs processes now, not when it is first needed.
  Expected<void> prepare_processes();

  // Feedback of a version's last run in this process, or nullptr if it cannot live here.
  const LoadedProgram* loaded(size_t version) const;

  // "" if all versions live here; else a sentence on what does not and why.
  const std::string& needs_processes() const;
  struct Counts {
    uint64_t executions = 0;  // an input in one version
    uint64_t in_processes = 0;
    std::string last_reason;  // why an input needed processes: "it calls fork()"
  };
  const Counts& counts() const;

 private:
  struct State;
  explicit FastRunner(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

// What programs have in processes (trial/program_runner.h), with the word that stands there for their folder.
std::vector<std::string> usual_environment();

}  // namespace heddle::fast
