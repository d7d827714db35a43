// ForkServer: one loaded copy of the program under test that serves many executions.
//
// The instrumented process stops before main and forks once per request, so an execution costs a fork and
// not an exec with dynamic linking (protocol: trace/arena.h). Nothing the program does to itself reaches the
// tool: a child that crashes, hangs or is killed is an Outcome, and a server that dies is started again once.
// Several servers can live in one process, each used by one thread at a time. Whatever a server started is
// killed and reaped when it is destroyed, and when the tool is ended by SIGINT or SIGTERM.
#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "execute/arena.h"
#include "execute/binary.h"
#include "execute/execution.h"
#include "execute/input.h"
#include "execute/test_command.h"
#include "support/error.h"

namespace heddle {

struct ForkServerOptions {
  ArenaOptions arena;
  Input input;                            // the program's standard input; default: empty
  size_t output_limit = size_t{1} << 20;  // bytes kept of stdout and of stderr; the rest is discarded
  bool pin = true;  // server, children and, while the server lives, the thread that runs it share one core
  bool fixed_addresses = true;  // no address-space randomisation, where the system allows that
  std::chrono::milliseconds startup_timeout{60'000};  // generous: a large program on a busy machine
};

class ForkServer {
 public:
  static Expected<ForkServer> start(TestCommand command, ForkServerOptions options = {});

  ForkServer(ForkServer&&) noexcept;
  ForkServer& operator=(ForkServer&&) noexcept;
  ~ForkServer();

  // Executes once. An Error means that heddle could not do it; whatever the program did is in the Execution.
  Expected<Execution> run(const ExecutionRequest& request);

  // The shared locations whose accesses are scheduling points. The set only grows while a server lives;
  // adding returns how many were new.
  size_t add_points(std::span<const trace::PointRecord> points);
  const std::vector<trace::PointRecord>& points() const;

  // While on, the program's output also goes to the tool's own stdout and stderr, as it comes.
  void pass_output_through(bool on);

  // The schedule that `execution` (of this server, answering `request`) followed, with its test, build and
  // points: all that a replay needs.
  trace::Schedule schedule_of(const ExecutionRequest& request, const Execution& execution) const;

  const TestCommand& command() const;
  const BinaryInfo& binary() const;

 private:
  class Impl;
  explicit ForkServer(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace heddle
