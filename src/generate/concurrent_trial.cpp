#include "generate/concurrent_trial.h"

#include <algorithm>
#include <map>
#include <numeric>

#include <fmt/format.h>

#include "confirm/recording.h"
#include "generate/plan_rules.h"
#include "predict/predict.h"
#include "report/finding.h"
#include "report/wrong_results.h"
#include "trace/names.h"

namespace heddle::generate {
namespace {

using namespace trace::request_flag;
using trace::OutcomeKind;
using trace::PolicyKind;

// Wrong results that are told of one method.
constexpr size_t kMostOfMethod = 2;

// How much longer an execution may take that seems to go in circles.
constexpr uint64_t kPatience = 20;

constexpr char kNoOrder[] = "no order of the calls gives these results";

std::string kind_text(const Prediction& prediction) {
  switch (prediction.kind) {
    case PredictionKind::kRace:
      return "race";
    case PredictionKind::kDeadlock:
      return "deadlock";
    case PredictionKind::kPattern:
      return fmt::format("pattern {}", prediction.pattern);
    case PredictionKind::kNotSerializable:
      return "not serializable";
  }
  return "";
}

// Different orders of different kinds, since no single one finds everything.
trace::PolicySpec random_policy(uint32_t number, uint64_t seed) {
  switch (number % 4) {
    case 0:
      return {.kind = PolicyKind::kPos, .seed = seed + number};
    case 1:
      return {.kind = PolicyKind::kPct, .depth = 2, .seed = seed + number};
    case 2:
      return {.kind = PolicyKind::kRandom, .seed = seed + number};
    default:
      return {.kind = PolicyKind::kPct, .depth = 3, .seed = seed + number};
  }
}

// In the recording of these, the last one comes first.
std::vector<std::vector<OperationId>> reversed_threads(const CallPlan& plan) {
  return {plan.threads.rbegin(), plan.threads.rend()};
}

// Whether each of the known threads' calls are made by a thread of their own, whatever else it does.
bool has_all(const std::vector<std::multiset<uint32_t>>& threads,
             const std::vector<std::multiset<uint32_t>>& known) {
  std::vector<size_t> order(threads.size());
  std::iota(order.begin(), order.end(), 0);
  do {
    bool fits = known.size() <= threads.size();
    for (size_t i = 0; i < known.size() && fits; ++i)
      fits =
          std::includes(threads[order[i]].begin(), threads[order[i]].end(), known[i].begin(), known[i].end());
    if (fits) return true;
  } while (std::next_permutation(order.begin(), order.end()));
  return false;
}

// Whether the one may be how the other one's cause shows with the same calls.
bool may_explain(OutcomeKind known, OutcomeKind other) {
  if (other == OutcomeKind::kCrash)
    return known == OutcomeKind::kCrash || known == OutcomeKind::kUseAfterFree;
  return other == OutcomeKind::kAtomicity && known == other;
}

bool is_stuck(OutcomeKind kind) {
  return kind == OutcomeKind::kDeadlock || kind == OutcomeKind::kLostWakeup ||
         kind == OutcomeKind::kLivelock || kind == OutcomeKind::kHang;
}

}  // namespace

// One test that is being tried.
struct ConcurrentTrial::Attempt : public Judge {
  Attempt(DriverSession& driver, const CallPlan& calls, const TrialOptions& settings, SequentialOrders right)
      : session(driver), plan(calls), options(settings), orders(std::move(right)) {}

  // Executions that are stuck may still be right; to find that out takes further ones.
  std::optional<std::string> objection(const Execution& execution) const override {
    return objection_to(session.read(execution));
  }
  std::optional<std::string> objection_to(const CallRun& run) const {
    if (run.end == RunEnd::kRace) return "accesses that nothing orders";
    if (run.end != RunEnd::kFinished) return run.why;
    if (orders.explains(run)) return std::nullopt;
    return kNoOrder;
  }
  bool is_over() const {
    return result.failure.has_value() || (options.time != nullptr && options.time->is_over());
  }

  DriverSession& session;
  const CallPlan& plan;
  const TrialOptions& options;
  SequentialOrders orders;
  TrialResult result;
};

std::string ConcurrentTrial::name_of(OperationId operation) const {
  const Operation& call = operations_[operation];
  return call.is_constructor ? model_.constructors[call.callable].name : model_.methods[call.callable].name;
}

std::string ConcurrentTrial::methods_of(const CallPlan& plan) const {
  std::vector<std::string> names;
  for (const std::vector<OperationId>& thread : plan.threads) {
    for (const OperationId call : thread) names.push_back(name_of(call));
  }
  std::sort(names.begin(), names.end());
  return fmt::format("{}", fmt::join(names, ", "));
}

ConcurrentTrial::MethodSets ConcurrentTrial::method_sets(const CallPlan& plan) const {
  MethodSets sets;
  for (const std::vector<OperationId>& thread : plan.threads) {
    std::multiset<uint32_t>& methods = sets.emplace_back();
    for (const OperationId call : thread) methods.insert(operations_[call].callable);
  }
  return sets;
}

void ConcurrentTrial::ignore(const FailureName& failure, bool with_like) {
  ignored_.insert(failure.identity);
  if (!with_like) return;
  if (!failure.unit.empty()) ignored_.insert(failure.unit);
  ignored_calls_.emplace_back(failure.kind, method_sets(failure.plan));
}

bool ConcurrentTrial::is_ignored(const FailureName& failure) const {
  if (ignored_.contains(failure.identity)) return true;
  if (!failure.unit.empty() && ignored_.contains(failure.unit)) return true;
  const MethodSets sets = method_sets(failure.plan);
  const bool has_known_calls =
      std::any_of(ignored_calls_.begin(), ignored_calls_.end(), [&](const auto& known) {
        return may_explain(known.first, failure.kind) && has_all(sets, known.second);
      });
  return has_known_calls || (failure.kind == OutcomeKind::kAtomicity && has_told_method(sets));
}

// Whether one of the methods has given wrong results with several others: it is told of.
bool ConcurrentTrial::has_told_method(const MethodSets& sets) const {
  std::map<uint32_t, size_t> failures;
  for (const auto& [kind, known] : ignored_calls_) {
    if (kind != OutcomeKind::kAtomicity) continue;
    std::set<uint32_t> methods;
    for (const std::multiset<uint32_t>& thread : known) methods.insert(thread.begin(), thread.end());
    for (const uint32_t method : methods) ++failures[method];
  }
  return std::any_of(sets.begin(), sets.end(), [&](const std::multiset<uint32_t>& thread) {
    return std::any_of(thread.begin(), thread.end(),
                       [&](uint32_t method) { return failures[method] >= kMostOfMethod; });
  });
}

// One cause shows with many calls. If it can be seen what was torn, that tells them apart.
void ConcurrentTrial::name_atomicity(TestFailure* failure) const {
  ReportContext context(failure->execution.trace, symbolizer_);
  failure->unit = broken_unit_identity(context);
  failure->identity = fmt::format("atomicity of {}", methods_of(failure->plan));
}

// What has to interleave: the same code of the same methods is one requirement, whatever the arguments.
Requirement ConcurrentTrial::requirement_of(const trace::Trace& trace, const Prediction& prediction) {
  std::vector<uint64_t> places;
  std::set<std::string> methods;
  for (const uint64_t event : prediction.events) {
    const DriverSession::EventPlace place = session_.place_of(trace, trace.events()[event]);
    const std::string method = place.operation ? name_of(*place.operation) : "the threads themselves";
    methods.insert(method);
    places.push_back(requirement_place(place.site, method));
  }
  const uint64_t key = requirement_key(prediction.kind, prediction.pattern, std::move(places));
  return {.key = key, .kind = kind_text(prediction), .methods = fmt::format("{}", fmt::join(methods, ", "))};
}

Expected<TrialResult> ConcurrentTrial::try_plan(const CallPlan& plan, const TrialOptions& options) {
  if (uses_what_is_moved_from(plan, operations_)) {
    TrialResult result;
    result.unusable = "a thread moves from what another one uses";
    return result;
  }
  Attempt attempt(session_, plan, options, SequentialOrders(session_, plan));
  std::vector<Recorded> recorded;
  if (options.predicts) {
    Expected<std::vector<Recorded>> both = record(plan, options.both_ways);
    if (!both) return tl::unexpected(both.error());
    recorded = std::move(*both);
    for (const Recorded& one : recorded) {
      attempt.result.executions += one.recording.learning.executions + 1;
      if (one.plan == plan) attempt.orders.adopt(one.run);
      if (one.plan.threads == reversed_threads(plan)) attempt.orders.adopt_reversed(one.run);
    }
  }
  if (const Expected<void> completed = attempt.orders.complete(); !completed)
    return tl::unexpected(completed.error());
  if (!attempt.orders.unusable().empty()) {
    attempt.result.unusable = attempt.orders.unusable();
    attempt.result.ends_never = attempt.orders.ends_never();
    return std::move(attempt.result);
  }
  session_.set_plan(plan);
  for (size_t i = 0; i < recorded.size() && !attempt.is_over(); ++i) {
    const Expected<void> tried =
        i == 0 ? try_predictions(&attempt, recorded[0]) : try_reversed(&attempt, recorded[i]);
    if (!tried) return tl::unexpected(tried.error());
  }
  if (!attempt.is_over()) {
    if (const Expected<void> tried = try_at_random(&attempt); !tried) return tl::unexpected(tried.error());
  }
  if (attempt.result.covered > 0) {
    if (const Expected<void> compared = attempt.orders.compare_once(); !compared)
      return tl::unexpected(compared.error());
  }
  attempt.result.right = attempt.orders.right();
  return std::move(attempt.result);
}

// The schedules of a recording mean something as long as no points come to those that it was made with. So
// the first one is made again if the second has taught any.
Expected<std::vector<ConcurrentTrial::Recorded>> ConcurrentTrial::record(const CallPlan& plan,
                                                                         bool both_ways) {
  std::vector<Recorded> all;
  Expected<Recorded> first = record(plan);
  if (!first) return tl::unexpected(first.error());
  all.push_back(std::move(*first));
  CallPlan reversed = plan;
  reversed.threads = reversed_threads(plan);
  if (!both_ways || reversed == plan || !all[0].run.finished()) return all;
  Expected<Recorded> second = record(reversed);
  if (!second) return tl::unexpected(second.error());
  const bool has_taught = second->recording.learning.executions > 0;
  all.push_back(std::move(*second));
  if (!has_taught) return all;
  const uint64_t before = all[0].recording.learning.executions + 1;
  Expected<Recorded> again = record(plan);
  if (!again) return tl::unexpected(again.error());
  again->recording.learning.executions += before;
  all[0] = std::move(*again);
  return all;
}

Expected<ConcurrentTrial::Recorded> ConcurrentTrial::record(const CallPlan& plan) {
  session_.set_plan(plan);
  Expected<Recording> recording =
      record_known_test(session_.server(), {.policy = {.kind = PolicyKind::kNonpreemptive},
                                            .flags = 0,
                                            .max_steps = session_.options().max_steps,
                                            .timeout = session_.options().timeout});
  if (!recording) return tl::unexpected(recording.error());
  Recorded recorded{.plan = plan, .recording = std::move(*recording), .run = {}};
  recorded.run = session_.read(recorded.recording.execution);
  return recorded;
}

Expected<void> ConcurrentTrial::try_reversed(Attempt* attempt, const Recorded& recorded) {
  Attempt reversed(session_, recorded.plan, attempt->options, attempt->orders.reversed());
  session_.set_plan(recorded.plan);
  const Expected<void> tried = try_predictions(&reversed, recorded);
  session_.set_plan(attempt->plan);
  attempt->result.executions += reversed.result.executions;
  attempt->result.found += reversed.result.found;
  attempt->result.covered += reversed.result.covered;
  if (reversed.result.failure) attempt->result.failure = std::move(reversed.result.failure);
  return tried;
}

Expected<void> ConcurrentTrial::try_predictions(Attempt* attempt, const Recorded& recorded) {
  const Recording* recording = &recorded.recording;
  // One thread after the other: what this does is one of the orders, unless it fails, or some call waits.
  if (const std::optional<std::string> objection = attempt->objection_to(recorded.run)) {
    const Expected<void> settled =
        settle(attempt, session_.server().schedule_of(recording->request, recording->execution), *objection);
    if (!settled || attempt->is_over() || !recorded.run.finished()) return settled;
  }
  const bool single_calls = std::all_of(attempt->plan.threads.begin(), attempt->plan.threads.end(),
                                        [](const auto& thread) { return thread.size() == 1; });
  const UnitRule units{.kind = single_calls ? UnitRule::Kind::kThread : UnitRule::Kind::kFunction};
  const PredictionResult predicted =
      predict(recording->trace(), {.units = units, .guesses = true, .focus = {}}, symbolizer_);
  Confirmer confirmer(session_.server(), *recording, *attempt);
  for (const Prediction& prediction : predicted.predictions) {
    if (attempt->is_over()) return {};
    Requirement requirement = requirement_of(recording->trace(), prediction);
    const uint64_t key = requirement.key;
    if (requirements_.add(std::move(requirement))) ++attempt->result.found;
    if (requirements_.is_settled(key) && !attempt->options.repeats) continue;
    session_.set_plan(attempt->plan);
    const Expected<Verdict> verdict = confirmer.confirm(prediction);
    if (!verdict) return tl::unexpected(verdict.error());
    attempt->result.executions += verdict->executions;
    if (verdict->confirmed == Confirmed::kNotReproduced) {
      requirements_.miss(key);
      continue;
    }
    if (!requirements_.is_covered(key)) ++attempt->result.covered;
    requirements_.cover(key);
    const bool is_race = prediction.kind == PredictionKind::kRace;
    if (verdict->confirmed != Confirmed::kHarmful && !is_race) continue;
    const std::string message =
        is_race && verdict->why.empty() ? "accesses that nothing orders" : verdict->why;
    if (const Expected<void> settled = settle(attempt, verdict->schedule, message); !settled) return settled;
  }
  return {};
}

Expected<void> ConcurrentTrial::try_at_random(Attempt* attempt) {
  uint64_t longest = 0;
  const TrialOptions& options = attempt->options;
  const bool is_promising = !options.predicts || options.repeats || attempt->result.found > 0;
  const uint32_t executions = is_promising
                                  ? options.random_executions
                                  : std::min(options.random_executions, options.executions_without_news);
  for (uint32_t i = 0; i < executions && !attempt->is_over(); ++i) {
    session_.set_plan(attempt->plan);
    ExecutionRequest request;
    request.policy = random_policy(i, attempt->options.seed);
    request.flags = kDetectRaces | kLearn;
    request.max_steps = session_.options().max_steps;
    request.timeout = session_.options().timeout;
    request.pct_length = longest;
    const Expected<Execution> execution = session_.server().run(request);
    if (!execution) return tl::unexpected(execution.error());
    ++attempt->result.executions;
    ++attempt->result.random_executions;
    longest = std::max(longest, execution->steps());
    const std::optional<std::string> objection = attempt->objection(*execution);
    const std::vector<trace::PointRecord> learned(execution->learned.begin(), execution->learned.end());
    if (objection) {
      const trace::Schedule schedule = session_.server().schedule_of(request, *execution);
      if (const Expected<void> settled = settle(attempt, schedule, *objection); !settled) return settled;
    }
    // Not before: more points, and the schedule would mean something else.
    session_.server().add_points(learned);
  }
  return {};
}

// A call that waits may have done a part of what it does, as to arrive at a latch. So it is right, too, what
// the threads give one after the other, each until it ends or has to wait.
Expected<bool> ConcurrentTrial::comes_of_turns(Attempt* attempt, const CallRun& run) {
  const CallPlan& plan = attempt->plan;
  std::vector<size_t> order(plan.threads.size());
  std::iota(order.begin(), order.end(), 0);
  do {
    CallPlan turns = plan;
    for (size_t i = 0; i < order.size(); ++i) turns.threads[i] = plan.threads[order[i]];
    session_.set_plan(turns);
    ExecutionRequest request;
    request.policy = {.kind = PolicyKind::kNonpreemptive};
    request.max_steps = session_.options().max_steps;
    request.timeout = session_.options().timeout;
    const Expected<Execution> execution = session_.server().run(request);
    if (!execution) return tl::unexpected(execution.error());
    ++attempt->result.executions;
    const CallRun in_turns = session_.read(*execution);
    if (in_turns.end != RunEnd::kFinished) continue;
    CallRun placed = in_turns;
    size_t from = plan.before.size();
    for (const size_t thread : order) {
      size_t to = plan.before.size();
      for (size_t before = 0; before < thread; ++before) to += plan.threads[before].size();
      for (size_t i = 0; i < plan.threads[thread].size(); ++i)
        placed.results[to + i] = in_turns.results[from++];
    }
    if (attempt->orders.are_equal(placed, run)) return true;
  } while (std::next_permutation(order.begin(), order.end()));
  return false;
}

// Asks a second time whether the orders always give the same.
Expected<bool> ConcurrentTrial::is_surely_wrong(Attempt* attempt, const CallRun& run) {
  if (attempt->orders.explains(run)) return false;
  const Expected<void> sure = attempt->orders.make_sure();
  session_.set_plan(attempt->plan);
  if (!sure) return tl::unexpected(sure.error());
  if (attempt->orders.explains(run)) return false;
  if (!attempt->orders.blocks()) return true;
  const Expected<bool> is_right = comes_of_turns(attempt, run);
  session_.set_plan(attempt->plan);
  if (!is_right) return tl::unexpected(is_right.error());
  return !*is_right;
}

// Executes the schedule once more, with all that a report needs, and makes a failure of it if it is one.
Expected<void> ConcurrentTrial::settle(Attempt* attempt, const trace::Schedule& schedule,
                                       const std::string& message) {
  session_.set_plan(attempt->plan);
  ExecutionRequest request;
  request.schedule = &schedule;
  request.policy = schedule.then;
  request.flags = kRecordEvents | kRecordChoices | (schedule.detects_races ? kDetectRaces : kRecordShared);
  // What goes on for long need not go in circles.
  request.max_steps = kPatience * session_.options().max_steps;
  request.timeout = session_.options().timeout;
  const Expected<Execution> shown = session_.server().run(request);
  if (!shown) return tl::unexpected(shown.error());
  ++attempt->result.executions;
  if (!attempt->objection(*shown)) return {};
  TestFailure failure;
  failure.plan = attempt->plan;
  failure.run = session_.read(*shown);
  failure.schedule = session_.server().schedule_of(request, *shown);
  failure.execution = *shown;
  failure.execution.trace = shown->trace.clone();
  failure.execution.learned = {};
  failure.kind = shown->outcome.kind;
  failure.message = message;
  if (is_stuck(failure.kind)) {
    const Expected<bool> explained = attempt->orders.explains_block(failure.run);
    session_.set_plan(attempt->plan);
    if (!explained) return tl::unexpected(explained.error());
    if (*explained) return {};
  }
  const std::optional<Finding> finding = make_finding(failure.execution.trace, symbolizer_);
  // A race that is known may still have led to results that are not.
  const bool is_known_race =
      failure.kind == OutcomeKind::kRace && finding && ignored_.contains(finding->fingerprint);
  if (failure.kind == OutcomeKind::kOk || is_known_race) {
    const Expected<bool> wrong = is_surely_wrong(attempt, failure.run);
    if (!wrong) return tl::unexpected(wrong.error());
    if (!*wrong) return {};
    failure.kind = OutcomeKind::kAtomicity;
    failure.message = kNoOrder;
    name_atomicity(&failure);
  } else if (finding) {
    failure.identity = finding->fingerprint;
    failure.message = finding->message;
  }
  if (is_ignored(failure)) return {};
  if (const Expected<void> compared = attempt->orders.compare_once(); !compared) return compared;
  session_.set_plan(attempt->plan);
  failure.right = attempt->orders.right();
  attempt->result.failure = std::move(failure);
  return {};
}

}  // namespace heddle::generate
