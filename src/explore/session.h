// Session: one `heddle explore` of one test, from the first look at it to the last finding.
//
// First the test is executed as it is, several times, and once with as many switches as possible: that shows
// whether it works at all, whether it is deterministic, and most of what its threads share. Then one or more
// workers, each with its own server and its own instance of the strategy, explore until the search is over,
// the budget is spent, or a failure ends it. Each new kind of failure is minimised and handed to the
// listener.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "execute/fork_server.h"
#include "explore/exploration.h"
#include "explore/minimize.h"
#include "explore/preferred_lines.h"
#include "explore/strategy_names.h"
#include "history/history.h"
#include "support/error.h"

namespace heddle {

struct SessionOptions {
  StrategySpec strategy;
  StrategyOptions strategy_options;
  ExecutionSetting setting;
  std::optional<std::chrono::milliseconds> budget;  // wall clock
  std::optional<uint64_t> max_executions;           // of the strategy
  uint32_t jobs = 1;
  bool keep_going = false;  // collect all distinct failures
  bool minimizes = true;
  bool stops_at_divergence = true;  // if the test is not deterministic
  PreferredLines preferred;         // lines around which threads are switched first
  History* history = nullptr;       // where to remember what is learned of the test; null: nowhere
};

struct SessionStatus {
  uint64_t executions = 0;  // of the strategy
  uint64_t coverage = 0;    // see Strategy::coverage
  uint64_t points = 0;
  double seconds = 0;
  std::optional<double> seconds_left;
};

struct Failure {
  const ForkServer& server;
  const ExecutionRequest& request;
  const Execution& execution;       // of the smallest schedule, with its last events
  uint64_t executions_to_find = 0;  // those of the first look included
  bool by_default_schedule = false;
  bool reproduced = true;               // else its schedule did not show it a second time
  std::optional<uint64_t> preemptions;  // nothing: it was not minimised
};

// Called by one thread at a time.
class SessionListener {
 public:
  virtual ~SessionListener() = default;

  // What a failed execution showed: equal for the same failure, empty if it is suppressed. It has been
  // recorded with its last events.
  virtual std::string fingerprint(const Execution& execution) = 0;
  virtual Expected<void> on_failure(const Failure& failure) = 0;
  // The same again.
  virtual void on_known_failure(const std::string& fingerprint) = 0;
  // The first execution, with what was recorded of it.
  virtual Expected<void> on_first_execution(const Execution& execution) = 0;
  // Two executions of one schedule that were not the same.
  virtual void on_divergence(const trace::Trace& first, const trace::Trace& second) = 0;
  // Something that the session can do without: "the history is locked".
  virtual void on_trouble(const std::string& text) = 0;
  virtual void on_progress(const SessionStatus& status) = 0;
};

enum class SessionEnd {
  kSearchIsOver,
  kFailure,
  kBudget,
  kMaxExecutions,
  kInterrupted,
  kNotDeterministic,
  kError
};

struct SessionResult {
  SessionEnd end = SessionEnd::kSearchIsOver;
  uint64_t executions = 0;           // of the strategy
  uint64_t learning_executions = 0;  // the first look
  uint64_t blocked_executions = 0;
  uint64_t minimizing_executions = 0;
  uint64_t suppressed_executions = 0;  // failed with nothing but suppressed findings; the first look included
  bool may_hang = false;  // the last execution had run far longer than others when the budget was spent
  uint64_t restarts = 0;
  std::string doubt;  // see ExplorationResult
  uint64_t pruned = 0;
  uint64_t divergences = 0;
  Claim claim;
  std::optional<Error> error;  // what ended it before its time; all the rest holds nevertheless
  TestMemory memory;           // what is known of the test now
};

Expected<SessionResult> explore_test(const TestCommand& command, const ForkServerOptions& server_options,
                                     const SessionOptions& options, SessionListener& listener);

}  // namespace heddle
