#include "explore/worker.h"

#include <algorithm>

#include <fmt/format.h>

#include "support/interruption.h"

namespace heddle {
namespace {

using trace::OutcomeKind;
using trace::PointRecord;
using trace::PolicyKind;

constexpr uint32_t kReportFlags = trace::request_flag::kRecordEvents | trace::request_flag::kRingEvents;

// Seeds of different workers are this far apart.
constexpr uint64_t kSeedsPerWorker = uint64_t{1} << 32;

// An execution of which the arena keeps nothing.
Execution keep(const Execution& execution) {
  Execution kept = execution;
  kept.trace = execution.trace.clone();
  kept.learned = {};
  return kept;
}

}  // namespace

Worker::Worker(SharedSession& session, ForkServer server, uint32_t number, const TestMemory& memory,
               const SourceTree& sources)
    : session_(session), server_(std::move(server)) {
  StrategyOptions options = session.options.strategy_options;
  options.seed += number * kSeedsPerWorker;
  options.is_first_worker = number == 0;
  options.sets = memory.sets;
  options.prefers = !session.options.preferred.empty();
  strategy_ = make_strategy(session.options.strategy, options);
  if (strategy_->sets() != nullptr || options.prefers) symbolizer_ = make_symbolizer();
  if (strategy_->sets() != nullptr) statements_ = std::make_unique<StatementTable>(*symbolizer_, sources);
  if (options.prefers)
    preferred_ = std::make_unique<PreferredPlaces>(session.options.preferred, *symbolizer_);
  observer_ = TraceObserver(statements_.get(), preferred_.get());
  server_.add_points(memory.points);
}

// Nothing: there was no time for it.
Expected<std::optional<Execution>> Worker::run(ExecutionRequest request) {
  const std::chrono::milliseconds wanted = request.timeout;
  request.timeout = std::max(std::chrono::milliseconds(1), std::min(wanted, session_.time_left()));
  const auto began = std::chrono::steady_clock::now();
  Expected<Execution> execution = server_.run(request);
  if (!execution) return tl::unexpected(execution.error());
  const Pace::Duration ran = std::chrono::steady_clock::now() - began;
  const bool cut_off =
      execution->outcome.kind == OutcomeKind::kHang && (request.timeout < wanted || was_interrupted());
  if (cut_off) {
    session_.end_out_of_time(pace_.seems_to_hang(ran));
    return std::nullopt;
  }
  pace_.add(ran);
  return std::optional(std::move(*execution));
}

bool Worker::take_first_look() {
  using namespace trace::request_flag;
  ExecutionRequest as_it_is;
  session_.options.setting.apply(&as_it_is);
  as_it_is.injection = {};
  as_it_is.flags |= kRecordEvents;
  return look(PolicyKind::kNonpreemptive, kReportFlags | kLearn) &&
         look(PolicyKind::kRoundRobin, kReportFlags | kLearn) && check_determinism(as_it_is, 2);
}

// The following return whether there shall be more executions.

bool Worker::look(PolicyKind policy, uint32_t flags) {
  ExecutionRequest request;
  request.policy.kind = policy;
  session_.options.setting.apply(&request);
  request.injection = {};
  request.flags |= flags;
  const bool is_first = session_.begin_look();
  const Expected<std::optional<Execution>> execution = run(request);
  if (!execution) return session_.fail(execution.error());
  if (!*execution) return false;
  if (is_first && !session_.show_first(**execution)) return false;
  const std::vector<PointRecord> learned((*execution)->learned.begin(), (*execution)->learned.end());
  if (!visit(request, **execution)) return false;
  server_.add_points(session_.exchange_points(learned, &points_taken_));
  return true;
}

// With the points that are known by now: what happens at them is what shows a difference.
bool Worker::check_determinism(const ExecutionRequest& request, int tries) {
  std::optional<trace::Trace> first;
  for (int i = 0; i < tries; ++i) {
    session_.begin_look();
    const Expected<std::optional<Execution>> execution = run(request);
    if (!execution) return session_.fail(execution.error());
    if (!*execution) return false;
    const trace::Trace& trace = (*execution)->trace;
    if (first && trace_hash(*first) != trace_hash(trace)) return session_.report_divergence(*first, trace);
    if (!first) first = trace.clone();
  }
  return true;
}

// Executes what could be executed before a few times more, so that the difference can be named.
bool Worker::on_divergence(const Plan& plan) {
  constexpr int kTries = 10;
  Plan known = plan;
  known.prefix.resize(plan.known);
  known.asleep.clear();
  ExecutionRequest request = observer_.request_for(known, Detail::kOperations);
  session_.options.setting.apply(&request);
  return check_determinism(request, kTries);
}

void Worker::explore() {
  ExplorationHooks hooks;
  hooks.execute = [&](const ExecutionRequest& request) -> Expected<std::optional<Execution>> {
    if (!session_.begin_execution(strategy_->coverage(), server_.points().size())) return std::nullopt;
    return run(request);
  };
  hooks.visit = [&](const ExecutionRequest& request, const Execution& execution) {
    return visit(request, execution);
  };
  hooks.exchange_points = [&](std::vector<PointRecord> learned) {
    return session_.exchange_points(std::move(learned), &points_taken_);
  };
  hooks.on_divergence = [&](const Plan& plan) { return on_divergence(plan); };
  const Expected<ExplorationResult> explored =
      heddle::explore(server_, observer_, *strategy_, session_.options.setting, hooks);
  if (explored)
    session_.add(*explored, memory());
  else
    session_.fail(explored.error());
}

TestMemory Worker::memory() const {
  TestMemory memory{.points = server_.points()};
  const HapSet* sets = strategy_->sets();
  if (sets == nullptr) return memory;
  memory.statements = statements_->describe(*sets);
  for (const HapSet::Pair& pair : sets->pairs()) {
    if (memory.statements.count(pair.statement) != 0 && memory.statements.count(pair.before) != 0)
      memory.sets.add(pair);
  }
  return memory;
}

bool Worker::visit(const ExecutionRequest& request, const Execution& execution) {
  if (!execution.failed() || execution.abandoned()) return true;
  const OutcomeKind kind = execution.outcome.kind;
  if (kind == OutcomeKind::kKilled || kind == OutcomeKind::kInternal) {
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
  const Execution original = keep(execution);
  const std::optional<std::vector<Choice>> choices = observer_.choices_of(original);
  const trace::Schedule schedule = server_.schedule_of(request, original);
  Shown shown{.request = {.schedule = &schedule}};
  if (!show_again(&shown)) return false;
  const bool reproduced = shown.execution.outcome.kind == original.outcome.kind;
  shown.execution = reproduced ? keep(shown.execution) : original;

  const std::string fingerprint = session_.fingerprint(shown.execution);
  if (fingerprint.empty()) {
    session_.add_suppressed_execution();
    return true;
  }
  Failure failure{
      .server = server_,
      .request = shown.request,
      .execution = shown.execution,
      .by_default_schedule = request.policy.kind == PolicyKind::kNonpreemptive && request.schedule == nullptr,
      .reproduced = reproduced};
  if (!session_.claim_failure(fingerprint, &failure.executions_to_find)) return true;
  const bool can_be_minimized = reproduced && choices && original.outcome.kind != OutcomeKind::kHang;
  if (can_be_minimized && session_.options.minimizes &&
      !show_smallest(*choices, fingerprint, &shown, &failure))
    return false;
  return session_.report(failure);
}

// Replaces what is shown, if the smallest schedule shows the same.
bool Worker::show_smallest(const std::vector<Choice>& choices, const std::string& fingerprint, Shown* shown,
                           Failure* failure) {
  const OutcomeKind kind = shown->execution.outcome.kind;
  const auto is_same = [&](const Execution& other) {
    return other.outcome.kind == kind && session_.fingerprint(other) == fingerprint;
  };
  ExecutionSetting setting = session_.options.setting;
  setting.flags |= kReportFlags;
  setting.injection = {};
  MinimizeOptions limits;
  limits.budget = std::min(limits.budget, session_.time_left());
  const Expected<MinimizedFailure> smallest = minimize(server_, observer_, setting, choices, is_same, limits);
  if (!smallest) return session_.fail(smallest.error());
  session_.add_minimizing_executions(smallest->executions);
  if (smallest->choices.empty()) return true;
  Shown smaller{.request = observer_.request_for({.prefix = smallest->choices, .runs_spinning = true},
                                                 Detail::kOutcome)};
  if (!show_again(&smaller)) return false;
  if (!is_same(smaller.execution)) {
    failure->reproduced = false;
    return true;
  }
  failure->preemptions = smallest->preemptions;
  *shown = std::move(smaller);
  return true;
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

}  // namespace heddle
