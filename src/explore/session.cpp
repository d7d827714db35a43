#include "explore/session.h"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <mutex>
#include <set>
#include <thread>

#include <fmt/format.h>

#include "execute/interruption.h"
#include "explore/statement_table.h"
#include "symbolize/symbolizer.h"

namespace heddle {
namespace {

using Clock = std::chrono::steady_clock;
using trace::PointRecord;
using trace::PolicyKind;

constexpr uint32_t kReportFlags = trace::request_flag::kRecordEvents | trace::request_flag::kRingEvents;

// Seeds of different workers are this far apart.
constexpr uint64_t kSeedsPerWorker = uint64_t{1} << 32;

// What the workers share.
class Session {
 public:
  Session(const SessionOptions& wanted, SessionListener& listener)
      : options(wanted), listener_(listener), started_(Clock::now()) {}

  const SessionOptions& options;

  void begin_look(bool* is_first) {
    const std::lock_guard lock(mutex_);
    *is_first = result_.learning_executions++ == 0;
  }

  // Whether the strategy may make one more execution.
  bool begin_execution(uint64_t coverage, uint64_t points) {
    const std::lock_guard lock(mutex_);
    if (over_) return false;
    const Clock::duration passed = Clock::now() - started_;
    if (was_interrupted()) return end_locked(SessionEnd::kInterrupted);
    if (options.budget && passed >= *options.budget) return end_locked(SessionEnd::kBudget);
    if (result_.executions == options.max_executions) return end_locked(SessionEnd::kMaxExecutions);
    SessionStatus status{.executions = result_.executions,
                         .coverage = coverage,
                         .points = points,
                         .seconds = std::chrono::duration<double>(passed).count()};
    if (options.budget) status.seconds_left = std::chrono::duration<double>(*options.budget - passed).count();
    listener_.on_progress(status);
    ++result_.executions;
    return true;
  }

  std::vector<PointRecord> exchange_points(std::vector<PointRecord> learned, size_t* taken) {
    const std::lock_guard lock(mutex_);
    std::vector<PointRecord> found(points_.begin() + static_cast<ptrdiff_t>(*taken), points_.end());
    points_.insert(points_.end(), learned.begin(), learned.end());
    *taken = points_.size();
    found.insert(found.end(), learned.begin(), learned.end());
    return found;
  }

  std::string fingerprint(const Execution& execution) {
    const std::lock_guard lock(mutex_);
    return listener_.fingerprint(execution);
  }

  // Whether nobody has found it before; who is told so reports it.
  bool claim_failure(const std::string& fingerprint, uint64_t* executions_to_find) {
    const std::lock_guard lock(mutex_);
    *executions_to_find = result_.learning_executions + result_.executions;
    if (fingerprints_.insert(fingerprint).second) return true;
    listener_.on_known_failure(fingerprint);
    return false;
  }

  // Whether there shall be more executions.
  bool report(const Failure& failure, uint64_t minimizing_executions) {
    const std::lock_guard lock(mutex_);
    result_.minimizing_executions += minimizing_executions;
    if (const Expected<void> told = listener_.on_failure(failure); !told) return fail_locked(told.error());
    return options.keep_going || end_locked(SessionEnd::kFailure);
  }

  bool show_first(const Execution& execution) {
    const std::lock_guard lock(mutex_);
    const Expected<void> seen = listener_.on_first_execution(execution);
    return seen || fail_locked(seen.error());
  }

  bool report_divergence(const trace::Trace& first, const trace::Trace& second) {
    const std::lock_guard lock(mutex_);
    if (result_.divergences++ == 0) listener_.on_divergence(first, second);
    return !options.stops_at_divergence || end_locked(SessionEnd::kNotDeterministic);
  }

  bool fail(const Error& error) {
    const std::lock_guard lock(mutex_);
    return fail_locked(error);
  }

  // What a worker has done.
  void add(const ExplorationResult& explored, const TestMemory& memory) {
    const std::lock_guard lock(mutex_);
    if (explored.is_over) --result_.executions;  // it was allowed one more
    if (explored.is_over && !over_) end_locked(SessionEnd::kSearchIsOver);
    result_.blocked_executions += explored.blocked;
    result_.restarts += explored.restarts;
    result_.pruned += explored.pruned;
    if (result_.doubt.empty()) result_.doubt = explored.doubt;
    if (explored.claim.complete || !result_.claim.complete) result_.claim = explored.claim;
    result_.memory.merge(memory);
  }

  Expected<SessionResult> finish() {
    if (error_) return tl::unexpected(*error_);
    result_.executions -= std::min(result_.executions, result_.blocked_executions);
    if (result_.divergences != 0) result_.doubt = "the test is not deterministic";
    result_.claim.complete =
        result_.claim.complete && result_.end == SessionEnd::kSearchIsOver && result_.divergences == 0;
    return std::move(result_);
  }

 private:
  bool end_locked(SessionEnd how) {
    if (!over_) result_.end = how;
    over_ = true;
    return false;
  }

  bool fail_locked(const Error& error) {
    if (!error_) error_ = error;
    over_ = true;
    return false;
  }

  std::mutex mutex_;
  SessionListener& listener_;
  const Clock::time_point started_;
  bool over_ = false;
  SessionResult result_;
  std::optional<Error> error_;
  std::set<std::string> fingerprints_;
  std::vector<PointRecord> points_;  // that workers have learned
};

// One server, and one instance of the strategy.
class Worker {
 public:
  Worker(Session& session, ForkServer server, uint32_t number, const TestMemory& memory,
         const SourceTree& sources)
      : session_(session), server_(std::move(server)) {
    StrategyOptions options = session.options.strategy_options;
    options.seed += number * kSeedsPerWorker;
    options.sets = memory.sets;
    strategy_ = make_strategy(session.options.strategy, options);
    if (strategy_->sets() != nullptr) {
      symbolizer_ = make_symbolizer();
      statements_ = std::make_unique<StatementTable>(*symbolizer_, sources);
      observer_ = TraceObserver(statements_.get());
    }
    server_.add_points(memory.points);
  }

  bool take_first_look();
  void explore();

  const ForkServer& server() const { return server_; }
  TestMemory memory() const;

 private:
  struct Shown {
    ExecutionRequest request;
    Execution execution;
  };

  bool look(PolicyKind policy, uint32_t flags);
  bool check_determinism(const ExecutionRequest& request);
  bool on_divergence(const Plan& plan);
  bool visit(const ExecutionRequest& request, const Execution& execution);
  bool handle_failure(const ExecutionRequest& request, const Execution& execution);
  bool show_again(Shown* shown);
  Expected<MinimizedFailure> minimize_failure(const Execution& failed, const std::vector<Choice>& choices,
                                              const std::string& fingerprint);

  Session& session_;
  ForkServer server_;
  std::unique_ptr<Symbolizer> symbolizer_;
  std::unique_ptr<StatementTable> statements_;
  TraceObserver observer_;
  std::unique_ptr<Strategy> strategy_;
  size_t points_taken_ = 0;  // of the session's
};

// Whether there shall be more executions; so do the following.
bool Worker::take_first_look() {
  using namespace trace::request_flag;
  ExecutionRequest as_it_is;
  session_.options.setting.apply(&as_it_is);
  as_it_is.injection = {};
  as_it_is.flags |= kRecordEvents;
  return look(PolicyKind::kNonpreemptive, kReportFlags | kLearn) &&
         look(PolicyKind::kRoundRobin, kReportFlags | kLearn) && check_determinism(as_it_is);
}

bool Worker::look(PolicyKind policy, uint32_t flags) {
  ExecutionRequest request;
  request.policy.kind = policy;
  session_.options.setting.apply(&request);
  request.injection = {};
  request.flags |= flags;
  const Expected<Execution> execution = server_.run(request);
  if (!execution) return session_.fail(execution.error());
  bool is_first = false;
  session_.begin_look(&is_first);
  if (is_first && !session_.show_first(*execution)) return false;
  const std::vector<PointRecord> learned(execution->learned.begin(), execution->learned.end());
  if (!visit(request, *execution)) return false;
  server_.add_points(session_.exchange_points(learned, &points_taken_));
  return true;
}

// With the points that are known by now: what happens at them is what shows a difference.
bool Worker::check_determinism(const ExecutionRequest& request) {
  std::optional<trace::Trace> first;
  for (int i = 0; i < 2; ++i) {
    const Expected<Execution> execution = server_.run(request);
    if (!execution) return session_.fail(execution.error());
    bool is_first = false;
    session_.begin_look(&is_first);
    if (!first) {
      first = execution->trace.clone();
    } else if (trace_hash(*first) != trace_hash(execution->trace)) {
      return session_.report_divergence(*first, execution->trace);
    }
  }
  return true;
}

// Executes what could be executed before twice more, so that the difference can be named.
bool Worker::on_divergence(const Plan& plan) {
  Plan known = plan;
  known.prefix.resize(plan.known);
  known.asleep.clear();
  ExecutionRequest request = observer_.request_for(known, Detail::kOperations);
  session_.options.setting.apply(&request);
  std::optional<trace::Trace> first;
  constexpr int kTries = 10;
  for (int i = 0; i < kTries; ++i) {
    const Expected<Execution> execution = server_.run(request);
    if (!execution) return session_.fail(execution.error());
    if (!first) {
      first = execution->trace.clone();
    } else if (i + 1 == kTries || trace_hash(*first) != trace_hash(execution->trace)) {
      return session_.report_divergence(*first, execution->trace);
    }
  }
  return true;
}

void Worker::explore() {
  ExplorationHooks hooks;
  hooks.go_on = [&] { return session_.begin_execution(strategy_->coverage(), server_.points().size()); };
  hooks.visit = [&](const ExecutionRequest& request, const Execution& execution) {
    return visit(request, execution);
  };
  hooks.exchange_points = [&](std::vector<PointRecord> learned) {
    return session_.exchange_points(std::move(learned), &points_taken_);
  };
  hooks.on_divergence = [&](const Plan& plan) { return on_divergence(plan); };
  const Expected<ExplorationResult> explored =
      heddle::explore(server_, observer_, *strategy_, session_.options.setting, hooks);
  if (!explored) {
    session_.fail(explored.error());
    return;
  }
  session_.add(*explored, memory());
}

TestMemory Worker::memory() const {
  TestMemory memory{.points = server_.points()};
  if (const HapSet* sets = strategy_->sets()) {
    memory.statements = statements_->describe(*sets);
    for (const HapSet::Pair& pair : sets->pairs()) {
      if (memory.statements.count(pair.statement) != 0 && memory.statements.count(pair.before) != 0)
        memory.sets.add(pair);
    }
  }
  return memory;
}

bool Worker::visit(const ExecutionRequest& request, const Execution& execution) {
  if (!execution.failed() || execution.abandoned()) return true;
  const trace::OutcomeKind kind = execution.outcome.kind;
  if (kind == trace::OutcomeKind::kKilled || kind == trace::OutcomeKind::kInternal) {
    const std::string message = execution.outcome.message;
    return session_.fail(
        {fmt::format("{}, after {} steps", message.empty() ? "an execution was not seen to its end" : message,
                     execution.steps()),
         Error::Kind::kInternal});
  }
  return handle_failure(request, execution);
}

// Executions of a search record what the search needs. For a report the failure is executed again.
bool Worker::handle_failure(const ExecutionRequest& request, const Execution& execution) {
  const bool by_default_schedule =
      request.policy.kind == PolicyKind::kNonpreemptive && request.schedule == nullptr;
  Execution original = execution;
  original.trace = execution.trace.clone();
  const std::optional<std::vector<Choice>> choices = observer_.choices_of(original);
  const trace::Schedule schedule = server_.schedule_of(request, original);
  Shown shown{.request = {.schedule = &schedule}};
  if (!show_again(&shown)) return false;
  const bool reproduced = shown.execution.outcome.kind == original.outcome.kind;
  if (!reproduced) shown.execution = original;

  const std::string fingerprint = session_.fingerprint(shown.execution);
  Failure failure{.server = server_,
                  .request = shown.request,
                  .execution = shown.execution,
                  .by_default_schedule = by_default_schedule,
                  .reproduced = reproduced};
  if (!session_.claim_failure(fingerprint, &failure.executions_to_find)) return true;
  uint64_t minimizing_executions = 0;
  if (reproduced && choices && session_.options.minimizes) {
    const Expected<MinimizedFailure> smallest = minimize_failure(original, *choices, fingerprint);
    if (!smallest) return session_.fail(smallest.error());
    minimizing_executions = smallest->executions;
    if (!smallest->choices.empty()) {
      failure.preemptions = smallest->preemptions;
      shown.request =
          observer_.request_for({.prefix = smallest->choices, .runs_spinning = true}, Detail::kOutcome);
    }
    if (!show_again(&shown)) return false;
  }
  return session_.report(failure, minimizing_executions);
}

// Executes the request as it is to be told.
bool Worker::show_again(Shown* shown) {
  session_.options.setting.apply(&shown->request);
  shown->request.injection = {};
  shown->request.flags |= kReportFlags;
  Expected<Execution> execution = server_.run(shown->request);
  if (!execution) return session_.fail(execution.error());
  shown->execution = std::move(*execution);
  return true;
}

Expected<MinimizedFailure> Worker::minimize_failure(const Execution& failed,
                                                    const std::vector<Choice>& choices,
                                                    const std::string& fingerprint) {
  const trace::OutcomeKind kind = failed.outcome.kind;
  const auto is_same = [&](const Execution& other) {
    return other.outcome.kind == kind && session_.fingerprint(other) == fingerprint;
  };
  ExecutionSetting setting = session_.options.setting;
  setting.flags |= kReportFlags;
  setting.injection = {};
  return minimize(server_, observer_, setting, choices, is_same);
}

}  // namespace

Expected<SessionResult> explore_test(const TestCommand& command, const ForkServerOptions& server_options,
                                     const SessionOptions& options, SessionListener& listener) {
  Session session(options, listener);
  const SourceTree sources = options.history != nullptr ? options.history->sources()
                                                        : SourceTree::around(std::filesystem::current_path());
  Build build;
  TestMemory memory;
  std::vector<std::unique_ptr<Worker>> workers;
  for (uint32_t i = 0; i < options.jobs; ++i) {
    Expected<ForkServer> server = ForkServer::start(command, server_options);
    if (!server) return tl::unexpected(server.error());
    if (i == 0 && options.history != nullptr) {
      build = identify_build(server->binary());
      Expected<TestMemory> known = options.history->load(command, build);
      if (!known) return tl::unexpected(known.error());
      memory = std::move(*known);
    }
    workers.push_back(std::make_unique<Worker>(session, std::move(*server), i, memory, sources));
  }
  if (workers[0]->take_first_look()) {
    std::vector<std::thread> threads;
    for (uint32_t i = 1; i < options.jobs; ++i) threads.emplace_back([&, i] { workers[i]->explore(); });
    workers[0]->explore();
    for (std::thread& thread : threads) thread.join();
  }
  Expected<SessionResult> result = session.finish();
  if (result && options.history != nullptr && options.history->read_only_reason().empty()) {
    memory.merge(result->memory);
    if (const Expected<void> saved = options.history->save(command, build, memory); !saved)
      listener.on_trouble("what was learned of the test is not remembered: " + saved.error().message);
  }
  return result;
}

}  // namespace heddle
