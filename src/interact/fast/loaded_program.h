// LoadedProgram: a program in its fast form (fast_form.h) that lives in this process, and is run again and
// again.
//
// kernel/machine.h says how. Of all LoadedPrograms only one runs at a time, in one thread.
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
#include "support/error.h"

namespace heddle::fast {

struct ProgramOptions {
  std::filesystem::path program;
  std::string program_name;                // argv[0]
  std::string file_name;                   // of the input file; empty: there is none
  std::vector<std::string> environment;    // "NAME=value"
  std::chrono::milliseconds timeout{100};  // of CPU time
  uint64_t memory = uint64_t{1} << 30;
  uint64_t most_output = uint64_t{1} << 20;  // of each stream
  bool without_thread_instructions = false;  // as on a machine that has none
};

enum class RunEnd {
  kExit,
  kSignal,
  kTime,
  kOutput,        // it wrote more than it may
  kNeedsProcess,  // nothing is known of how it behaves
};

// Views are valid until the program runs again.
struct ProgramRun {
  RunEnd end = RunEnd::kNeedsProcess;
  int exit_code = 0;
  int signal = 0;
  std::string_view out;
  std::string_view err;
  bool damages_heap = false;  // it wrote beyond what it had allocated, or freed what it must not
};

class LoadedProgram {
 public:
  // An error says why the program cannot live in a process with others; then it may do so in one of its own.
  static Expected<LoadedProgram> load(ProgramOptions options);
  LoadedProgram(LoadedProgram&&) noexcept;
  LoadedProgram& operator=(LoadedProgram&&) noexcept;
  ~LoadedProgram();

  // With `wants_compares`, compares() and texts() are filled; that takes a twentieth of the time.
  ProgramRun run(const concolic::ProgramInput& input, bool wants_compares = false);

  // Of the last run. How often each edge was taken, modulo 256:
  std::span<const uint8_t> counters() const;
  // The watched lines that it reached, in order, by their place in the request; those that fit.
  std::span<const uint32_t> marks() const;
  std::span<const HeddleFastCompare> compares() const;
  std::span<const HeddleFastTexts> texts() const;
  // If it needs a process: the end of a sentence about the program, like "it calls fork()".
  std::string reason() const;

  // Offsets in the executable, one for each counter.
  std::vector<uint64_t> counter_places() const;
  // The part of a place (HeddleFastCompare) that does not depend on where the program was loaded.
  uint64_t offset_of(uint64_t place) const;

  struct Costs {
    uint32_t faults = 0;         // of the last run
    uint32_t trapped_calls = 0;  // that were not replaced by jumps
    uint64_t trap_offset = 0;
    size_t restored_pages = 0;
    size_t patched_calls = 0;
  };
  Costs costs() const;

 private:
  struct State;
  explicit LoadedProgram(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace heddle::fast
