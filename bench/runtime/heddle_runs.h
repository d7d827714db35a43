// The heddle side of each measure, through the same fork server that the tool uses.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "common/process.h"
#include "support/error.h"
#include "trace/policy.h"

namespace heddle::bench {

// One execution with the points of a learning phase applied, after `rounds` of which the median is taken. The
// flags are those of the request.
struct ControlledRun {
  Usage usage;  // of the execution alone
  uint64_t steps = 0;
  uint64_t points = 0;
};
Expected<ControlledRun> run_controlled(const std::vector<std::string>& argv, const trace::PolicySpec& policy,
                                       int rounds, uint32_t flags = 0);

// CPU-seconds of a fork server and everything it starts, per execution, over `executions` random schedules.
Expected<double> seconds_per_execution(const std::vector<std::string>& argv, int executions);

// What recording adds, and how large the result is.
struct Recording {
  double seconds_without = 0;
  double seconds_with = 0;
  uint64_t events = 0;
  uint64_t file_bytes = 0;
  uint64_t archive_bytes = 0;  // with zstd
  uint64_t max_rss_kb = 0;
};
enum class RecordedEvents { kPoints, kEveryAccess };
Expected<Recording> measure_recording(const std::vector<std::string>& argv, RecordedEvents which, int rounds);

}  // namespace heddle::bench
