#include "generate/other_version.h"

#include <utility>

namespace heddle::generate {
namespace {

// A test can fail in several ways; each attempt finds another one.
constexpr int kMostFailures = 5;
// That it does not fail has to be said with some certainty.
constexpr uint32_t kExecutions = 200;

bool is_same(const FailureName& one, const FailureName& other) {
  return one.kind == other.kind && one.identity == other.identity &&
         (one.unit.empty() || other.unit.empty() || one.unit == other.unit);
}

}  // namespace

std::optional<CallPlan> translate(const CallPlan& plan, const OperationTable& from,
                                  const OperationTable& to) {
  const auto same = [&](OperationId call) -> std::optional<OperationId> {
    for (const Operation& operation : to.operations) {
      if (operation.is_constructor == from[call].is_constructor &&
          operation.receiver == from[call].receiver && operation.label == from[call].label)
        return operation.id;
    }
    return std::nullopt;
  };
  bool is_complete = true;
  const auto translate_all = [&](const std::vector<OperationId>& calls) {
    std::vector<OperationId> translated;
    for (const OperationId call : calls) {
      const std::optional<OperationId> found = same(call);
      is_complete = is_complete && found.has_value();
      if (found) translated.push_back(*found);
    }
    return translated;
  };
  CallPlan other;
  const std::vector<OperationId> constructor = translate_all({plan.constructor});
  if (constructor.empty()) return std::nullopt;
  other.constructor = constructor.front();
  other.before = translate_all(plan.before);
  for (const std::vector<OperationId>& thread : plan.threads) other.threads.push_back(translate_all(thread));
  if (!is_complete) return std::nullopt;
  // What the object is asked afterwards is not part of what happens.
  other.after = translate_all(plan.after);
  return other;
}

Expected<std::unique_ptr<OtherVersion>> OtherVersion::start(Driver driver,
                                                            const std::filesystem::path& plan_file,
                                                            Symbolizer& symbolizer) {
  Expected<std::unique_ptr<DriverSession>> session =
      DriverSession::start({.program = driver.program, .plan_file = plan_file}, symbolizer);
  if (!session) return tl::unexpected(session.error());
  return std::unique_ptr<OtherVersion>(new OtherVersion(std::move(driver), std::move(*session), symbolizer));
}

Expected<bool> OtherVersion::fails_like(const TestFailure& failure, const OperationTable& operations,
                                        uint64_t seed, std::chrono::steady_clock::time_point deadline) {
  const std::optional<CallPlan> plan = translate(failure.plan, operations, driver_.operations);
  if (!plan) return false;
  Requirements requirements;
  ConcurrentTrial trial(*session_, driver_.operations, driver_.model, requirements, symbolizer_);
  const TimeBudget time(deadline - std::chrono::steady_clock::now());
  for (int i = 0; i < kMostFailures; ++i) {
    Expected<TrialResult> tried = trial.try_plan(
        *plan, {.random_executions = kExecutions, .seed = seed, .time = &time, .repeats = true});
    if (!tried) return tl::unexpected(tried.error());
    if (!tried->failure) return false;
    if (is_same(*tried->failure, failure)) return true;
    trial.ignore(*tried->failure, /*with_like=*/false);
  }
  return false;
}

}  // namespace heddle::generate
