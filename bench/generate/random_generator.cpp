#include "random_generator.h"

#include <algorithm>
#include <utility>

#include "generate/observers.h"
#include "support/interruption.h"

namespace heddle::bench {
namespace {

using generate::CallPlan;
using generate::OperationId;

// Of a small class all may be known some day.
constexpr int kMostKnownInARow = 10'000;

}  // namespace

RandomGenerator::RandomGenerator(generate::DriverSession& session, const generate::ClassModel& model,
                                 const generate::OperationTable& operations, Symbolizer& symbolizer,
                                 generate::GeneratorOptions options, generate::GeneratorListener& listener)
    : session_(session),
      operations_(operations),
      options_(std::move(options)),
      listener_(listener),
      trial_(session, operations, model, requirements_, symbolizer),
      random_(options_.seed) {}

bool RandomGenerator::is_over() const {
  return was_interrupted() || failures_ >= options_.most_failures || time_.is_over();
}

generate::GeneratorStatus RandomGenerator::status() const {
  return {.search = {},
          .requirements = requirements_.counts(),
          .tests = result_.status.tests,
          .executions = executions_,
          .failures = failures_,
          .seconds = time_.seconds()};
}

size_t RandomGenerator::choose(size_t number) {
  return std::uniform_int_distribution<size_t>(0, number - 1)(random_);
}

Expected<std::vector<OperationId>> RandomGenerator::usable_constructors() {
  std::vector<OperationId> usable;
  for (uint32_t i = 0; i < operations_.constructors; ++i) {
    const Expected<generate::CallRun> run = session_.run_alone(
        {.constructor = OperationId{i}, .before = {}, .threads = {}, .after = {}}, /*observes=*/false);
    if (!run) return tl::unexpected(run.error());
    if (run->end == generate::RunEnd::kFinished) usable.push_back(OperationId{i});
  }
  return usable;
}

void RandomGenerator::add_call(const std::vector<OperationId>& before, std::vector<OperationId>* calls) {
  std::vector<OperationId> possible;
  for (const generate::Operation& operation : operations_.operations) {
    const auto was_called = [&](uint32_t method) {
      const auto calls_it = [&](OperationId call) { return operations_[call].callable == method; };
      return std::ranges::any_of(before, calls_it) || std::ranges::any_of(*calls, calls_it);
    };
    if (!operation.is_constructor && std::ranges::all_of(operation.needs, was_called))
      possible.push_back(operation.id);
  }
  if (!possible.empty()) calls->push_back(possible[choose(possible.size())]);
}

CallPlan RandomGenerator::make_plan(const std::vector<OperationId>& constructors) {
  CallPlan plan{
      .constructor = constructors[choose(constructors.size())], .before = {}, .threads = {}, .after = {}};
  const size_t length = choose(options_.search.longest);
  for (size_t i = 0; i < length; ++i) add_call({}, &plan.before);
  plan.threads.resize(2);
  for (std::vector<OperationId>& thread : plan.threads) add_call(plan.before, &thread);
  return plan;
}

Expected<generate::GeneratorResult> RandomGenerator::run() {
  const Expected<std::vector<OperationId>> constructors = usable_constructors();
  if (!constructors) return tl::unexpected(constructors.error());
  if (constructors->empty() || operations_.operations.size() == operations_.constructors)
    return std::move(result_);
  const Expected<std::vector<OperationId>> observers =
      generate::choose_observers(session_, operations_, constructors->front());
  if (!observers) return tl::unexpected(observers.error());
  for (int known = 0; !is_over() && known < kMostKnownInARow;) {
    CallPlan plan = make_plan(*constructors);
    if (!known_.insert(plan).second) {
      ++known;
      continue;
    }
    known = 0;
    plan.after = *observers;
    Expected<generate::TrialResult> tried =
        trial_.try_plan(plan, {.random_executions = options_.random_executions,
                               .seed = options_.seed + executions_,
                               .time = &time_});
    if (!tried) return tl::unexpected(tried.error());
    executions_ += tried->executions;
    if (tried->unusable.empty()) ++result_.status.tests;
    if (tried->failure) {
      ++failures_;
      trial_.ignore(*tried->failure);
      const Expected<bool> told = listener_.on_failure({.failure = std::move(*tried->failure),
                                                        .tests = result_.status.tests,
                                                        .executions = executions_,
                                                        .seconds = status().seconds});
      if (!told) return tl::unexpected(told.error());
    }
    listener_.on_progress(status());
  }
  result_.status = status();
  return std::move(result_);
}

}  // namespace heddle::bench
