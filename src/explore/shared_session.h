// SharedSession: what the workers of a session share: limits, findings, and learned points. Thread-safe.
#pragma once

#include <chrono>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "explore/session.h"

namespace heddle {

class SharedSession {
 public:
  SharedSession(const SessionOptions& wanted, SessionListener& listener);

  const SessionOptions& options;

  // Before an execution of the first look; whether it is the very first.
  bool begin_look();
  // Whether the strategy may make one more execution.
  bool begin_execution(uint64_t coverage, uint64_t points);
  // Until the budget is spent.
  std::chrono::milliseconds time_left() const;
  // An execution was cut off since there was no time left, or since the user wants no more.
  bool end_out_of_time(bool may_hang);

  // Makes known what a worker has learned; returns that with what others have learned since `taken`.
  std::vector<trace::PointRecord> exchange_points(std::vector<trace::PointRecord> learned, size_t* taken);

  std::string fingerprint(const Execution& execution);
  // Whether nobody has found it before; who is told so reports it.
  bool claim_failure(const std::string& fingerprint, uint64_t* executions_to_find);
  void add_minimizing_executions(uint64_t count);
  // An execution failed with nothing that anybody wants to hear of.
  void add_suppressed_execution();

  // These return whether there shall be more executions.
  bool report(const Failure& failure);
  bool show_first(const Execution& execution);
  bool report_divergence(const trace::Trace& first, const trace::Trace& second);
  bool fail(const Error& error);

  // What a worker has done.
  void add(const ExplorationResult& explored, const TestMemory& memory);
  SessionResult finish();

 private:
  using Clock = std::chrono::steady_clock;

  bool end(SessionEnd how);

  mutable std::mutex mutex_;
  SessionListener& listener_;
  const Clock::time_point started_;
  bool over_ = false;
  SessionResult result_;
  std::set<std::string> fingerprints_;
  std::vector<trace::PointRecord> points_;  // that workers have learned
};

}  // namespace heddle
