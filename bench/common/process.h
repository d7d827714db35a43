// Runs a program to its end and says what it cost.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "support/error.h"

namespace heddle::bench {

struct Usage {
  double cpu_seconds = 0;  // user + system, of the process and of every descendant it waited for
  uint64_t max_rss_kb = 0;
};

struct ProcessOptions {
  bool pinned = false;                               // to one core, so that two threads must take turns on it
  std::string library_path;                          // LD_LIBRARY_PATH, if not empty
  std::string folder;                                // to run in, if not empty
  std::optional<std::chrono::milliseconds> timeout;  // it is killed then
};

struct EndedProcess {
  Usage usage;
  std::optional<int> exit_code;  // nothing: it was ended by a signal
  bool timed_out = false;
};

// What the program prints is thrown away. Address-space randomisation is off: gcc 12's libtsan does not start
// with the entropy that recent kernels use.
Expected<EndedProcess> run_to_end(const std::vector<std::string>& argv, const ProcessOptions& options = {});

// The same for a program that must succeed: anything but exit code 0 is an error.
Expected<Usage> run_process(const std::vector<std::string>& argv, const ProcessOptions& options = {});

// CPU-seconds so far of this process and of all children it has waited for.
double cpu_seconds_so_far();

// The same with the children that still run, and those that they have waited for: fork servers.
double cpu_seconds_with_running();

}  // namespace heddle::bench
