#include "explore/shared_session.h"

#include <algorithm>

#include "support/interruption.h"

namespace heddle {

using trace::PointRecord;

SharedSession::SharedSession(const SessionOptions& wanted, SessionListener& listener)
    : options(wanted), listener_(listener), started_(Clock::now()) {}

bool SharedSession::begin_look() {
  const std::lock_guard lock(mutex_);
  return result_.learning_executions++ == 0;
}

bool SharedSession::begin_execution(uint64_t coverage, uint64_t points) {
  const std::lock_guard lock(mutex_);
  if (over_) return false;
  const Clock::duration passed = Clock::now() - started_;
  if (was_interrupted()) return end(SessionEnd::kInterrupted);
  if (options.budget && passed >= *options.budget) return end(SessionEnd::kBudget);
  if (result_.executions == options.max_executions) return end(SessionEnd::kMaxExecutions);
  SessionStatus status{.executions = result_.executions,
                       .coverage = coverage,
                       .points = points,
                       .seconds = std::chrono::duration<double>(passed).count()};
  if (options.budget) status.seconds_left = std::chrono::duration<double>(*options.budget - passed).count();
  listener_.on_progress(status);
  ++result_.executions;
  return true;
}

std::chrono::milliseconds SharedSession::time_left() const {
  if (!options.budget) return std::chrono::milliseconds::max();
  const auto passed = std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - started_);
  return std::max(std::chrono::milliseconds(0), *options.budget - passed);
}

bool SharedSession::end_out_of_time(bool may_hang) {
  const std::lock_guard lock(mutex_);
  if (was_interrupted()) return end(SessionEnd::kInterrupted);
  result_.may_hang |= may_hang;
  return end(SessionEnd::kBudget);
}

std::vector<PointRecord> SharedSession::exchange_points(std::vector<PointRecord> learned, size_t* taken) {
  const std::lock_guard lock(mutex_);
  std::vector<PointRecord> found(points_.begin() + static_cast<ptrdiff_t>(*taken), points_.end());
  points_.insert(points_.end(), learned.begin(), learned.end());
  *taken = points_.size();
  found.insert(found.end(), learned.begin(), learned.end());
  return found;
}

std::string SharedSession::fingerprint(const Execution& execution) {
  const std::lock_guard lock(mutex_);
  return listener_.fingerprint(execution);
}

bool SharedSession::claim_failure(const std::string& fingerprint, uint64_t* executions_to_find) {
  const std::lock_guard lock(mutex_);
  if (over_) return false;
  *executions_to_find = result_.learning_executions + result_.executions;
  if (fingerprints_.insert(fingerprint).second) return true;
  listener_.on_known_failure(fingerprint);
  return false;
}

void SharedSession::add_minimizing_executions(uint64_t count) {
  const std::lock_guard lock(mutex_);
  result_.minimizing_executions += count;
}

void SharedSession::add_suppressed_execution() {
  const std::lock_guard lock(mutex_);
  ++result_.suppressed_executions;
}

bool SharedSession::report(const Failure& failure) {
  const std::lock_guard lock(mutex_);
  if (over_ && result_.end == SessionEnd::kFailure) return false;  // another one was first
  if (const Expected<void> told = listener_.on_failure(failure); !told) {
    result_.error = told.error();
    return end(SessionEnd::kError);
  }
  return options.keep_going || end(SessionEnd::kFailure);
}

bool SharedSession::show_first(const Execution& execution) {
  const std::lock_guard lock(mutex_);
  const Expected<void> seen = listener_.on_first_execution(execution);
  if (seen) return true;
  result_.error = seen.error();
  return end(SessionEnd::kError);
}

bool SharedSession::report_divergence(const trace::Trace& first, const trace::Trace& second) {
  const std::lock_guard lock(mutex_);
  if (result_.divergences++ == 0) listener_.on_divergence(first, second);
  return !options.stops_at_divergence || end(SessionEnd::kNotDeterministic);
}

bool SharedSession::fail(const Error& error) {
  const std::lock_guard lock(mutex_);
  if (!result_.error) result_.error = error;
  return end(SessionEnd::kError);
}

void SharedSession::add(const ExplorationResult& explored, const TestMemory& memory) {
  const std::lock_guard lock(mutex_);
  if (explored.is_over && !over_) end(SessionEnd::kSearchIsOver);
  result_.blocked_executions += explored.blocked;
  result_.restarts += explored.restarts;
  result_.pruned += explored.pruned;
  if (result_.doubt.empty()) result_.doubt = explored.doubt;
  if (explored.claim.complete || !result_.claim.complete) result_.claim = explored.claim;
  result_.memory.merge(memory);
}

SessionResult SharedSession::finish() {
  const std::lock_guard lock(mutex_);
  result_.executions -= std::min(result_.executions, result_.blocked_executions);
  if (result_.divergences != 0) result_.doubt = "the test is not deterministic";
  result_.claim.complete =
      result_.claim.complete && result_.end == SessionEnd::kSearchIsOver && result_.divergences == 0;
  // What led to a failure must not be passed over next time: the failure is not among what is remembered.
  if (!fingerprints_.empty()) result_.memory.sets = {};
  return std::move(result_);
}

bool SharedSession::end(SessionEnd how) {
  if (!over_) result_.end = how;
  over_ = true;
  return false;
}

}  // namespace heddle
