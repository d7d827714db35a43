// Options that every command has which executes a test.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include <CLI/CLI.hpp>

#include "cli/reports.h"
#include "execute/fork_server.h"
#include "execute/input.h"
#include "report/suppressions.h"
#include "support/error.h"

namespace heddle {

struct TestOptions {
  double timeout_seconds = 60;
  std::string input;   // file for the test's standard input; "-": heddle's own
  std::string record;  // trace file to write
  bool record_all = false;
  std::string backend = "fibers";
  std::string detect;  // what to detect beside failures: "race", or nothing
  ReportOptions report;
  std::string suppressions;  // file

  std::chrono::milliseconds timeout() const {
    return std::chrono::milliseconds(static_cast<int64_t>(timeout_seconds * 1000));
  }
  // How to execute, and what to record: everything for a file, else the last events, which is what a report
  // shows.
  uint32_t request_flags() const;
  // With those that every project has.
  Expected<Suppressions> read_suppressions() const;
  Expected<Input> open_input() const;
  // The same when heddle's own standard input is not for the test: it is the debugger's.
  Expected<Input> open_input_beside_debugger() const;
  // With an arena for what is recorded.
  Expected<ForkServerOptions> server_options() const;
};

void add_test_options(CLI::App& command, TestOptions& options);
// For those that can leave a finding out.
void add_suppressions_option(CLI::App& command, TestOptions& options);
// For commands that choose how to execute; a replay does what its schedule says.
void add_detect_option(CLI::App& command, TestOptions& options);

// Exactly what a schedule file says: its limits, and an end where it cannot be followed.
ExecutionRequest request_of(const trace::Schedule& schedule, const TestOptions& options);

// Refuses a schedule that was made for another build or another test than the server's.
Expected<void> check_schedule_fits(const trace::Schedule& schedule, const std::string& file,
                                   const TestCommand& command, const BinaryInfo& binary);

}  // namespace heddle
