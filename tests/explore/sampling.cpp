#include "sampling.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include <gtest/gtest.h>

#include "execute/learning.h"
#include "explore/observe_trace.h"
#include "trace/schedule.h"

namespace heddle {
namespace {

ForkServer start(const std::string& program, int threads) {
  ::setenv("HEDDLE_RUNTIME_DIR", HEDDLE_RUNTIME, 1);
  Expected<ForkServer> server =
      ForkServer::start({.argv = {HEDDLE_SAMPLED_PROGRAM, program, std::to_string(threads)}});
  if (!server) {
    ADD_FAILURE() << server.error().message;
    std::abort();
  }
  return std::move(*server);
}

template <typename T>
T checked(Expected<T> result) {
  if (!result) {
    ADD_FAILURE() << result.error().message;
    std::abort();
  }
  return std::move(*result);
}

}  // namespace

Sampler::Sampler(const std::string& program, int threads) : server_(start(program, threads)) {
  longest_steps_ = checked(learn_points(server_)).longest_steps;
}

void Sampler::add(const Execution& execution, Samples* samples) const {
  samples->executions++;
  samples->longest_steps = std::max(samples->longest_steps, execution.steps());
  std::string out = execution.out;
  while (!out.empty() && out.back() == '\n') out.pop_back();
  samples->outputs[out]++;
  if (!execution.failed()) return;
  EXPECT_EQ(execution.outcome.kind, trace::OutcomeKind::kExitCode) << execution.trace.outcome_message();
  if (samples->failures++ == 0) samples->first_failure = samples->executions;
}

Samples Sampler::sample(trace::PolicySpec policy, uint64_t executions) {
  Samples samples;
  while (samples.executions < executions) {
    ExecutionRequest request;
    request.policy = policy;
    request.pct_length = longest_steps_;
    add(checked(server_.run(request)), &samples);
    policy.seed++;
  }
  return samples;
}

// What counts are the steps, whoever has chosen them.
void Sampler::replay(const ExecutionRequest& request, const Execution& execution) {
  const trace::Schedule schedule = server_.schedule_of(request, execution);
  const trace::OutcomeKind kind = execution.outcome.kind;
  ExecutionRequest again;
  again.schedule = &schedule;
  const Execution replayed = checked(server_.run(again));
  EXPECT_EQ(replayed.outcome.kind, kind);
  EXPECT_EQ(replayed.divergence, "");
}

Samples Sampler::explore(Strategy& strategy, uint64_t executions, bool until_failure) {
  Samples samples;
  TraceObserver observer;
  while (samples.executions < executions && !(until_failure && samples.failures != 0)) {
    const Plan plan = *strategy.next();
    const Detail detail = strategy.detail();
    const ExecutionRequest request = observer.request_for(plan, detail);
    const Execution execution = checked(server_.run(request));
    add(execution, &samples);
    strategy.learn(observer.observe(execution, detail));
    if (execution.failed()) replay(request, execution);
  }
  return samples;
}

double deviation_from_uniform(const std::map<std::string, uint64_t>& counts, size_t categories) {
  double total = 0;
  for (const auto& [text, count] : counts) total += static_cast<double>(count);
  const double expected = total / static_cast<double>(categories);
  double chi_square = expected * static_cast<double>(categories - counts.size());
  for (const auto& [text, count] : counts)
    chi_square +=
        (static_cast<double>(count) - expected) * (static_cast<double>(count) - expected) / expected;
  const auto freedom = static_cast<double>(categories - 1);
  return (chi_square - freedom) / std::sqrt(2 * freedom);
}

}  // namespace heddle
