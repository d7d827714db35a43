#include "explore/minimize.h"

#include <algorithm>
#include <optional>

#include "explore/bounded_search.h"
#include "support/interruption.h"

namespace heddle {
namespace {

using trace::StepKind;

// The thread that a step could have gone on with but did not; nothing if the step preempts nobody.
std::optional<uint32_t> preempted_by(const std::vector<ObservedStep>& steps, size_t index) {
  const ObservedStep& step = steps[index];
  if (step.chosen.kind == StepKind::kWake) return std::nullopt;
  size_t before = index;
  while (before > 0 && steps[before - 1].chosen.kind == StepKind::kWake) --before;
  if (before == 0) return std::nullopt;
  const uint32_t running = steps[before - 1].chosen.thread;
  const bool preempts = step.chosen.thread != running && contains(step.alternatives, {running});
  return preempts ? std::optional(running) : std::nullopt;
}

class Minimizer {
 public:
  Minimizer(ForkServer& server, TraceObserver& observer, const ExecutionSetting& setting,
            const std::function<bool(const Execution&)>& is_same, const MinimizeOptions& options)
      : server_(server),
        observer_(observer),
        setting_(setting),
        is_same_(is_same),
        max_executions_(options.max_executions),
        deadline_(Clock::now() + options.budget) {}

  Expected<MinimizedFailure> minimize(const std::vector<Choice>& failing) {
    try_choices(failing);
    while (may_go_on() && (drop_rest() || join_segments())) continue;
    search_cheaper();
    if (error_) return tl::unexpected(*error_);
    MinimizedFailure result{.preemptions = preemptions_, .executions = executions_};
    for (const ObservedStep& step : best_) result.choices.push_back(step.chosen);
    return result;
  }

 private:
  using Clock = std::chrono::steady_clock;

  bool may_go_on() const {
    return !best_.empty() && !error_ && !was_interrupted() && executions_ < max_executions_ &&
           Clock::now() < deadline_;
  }

  // Whether executing this shows the failure at a lower price than before.
  bool try_choices(const std::vector<Choice>& choices) {
    const Plan plan{.prefix = choices, .runs_spinning = true};
    return try_plan(plan, nullptr);
  }

  // As far as the plan can be followed; then every thread runs until it blocks.
  bool try_plan(const Plan& plan, Strategy* strategy) {
    ExecutionRequest request = observer_.request_for(plan, Detail::kChoices);
    setting_.apply(&request);
    request.stop_at_divergence = false;
    const Expected<Execution> execution = server_.run(request);
    ++executions_;
    if (!execution) {
      error_ = execution.error();
      return false;
    }
    Observation seen = observer_.observe(*execution, Detail::kChoices);
    if (strategy != nullptr) strategy->learn(seen);
    const uint64_t preemptions = count_preemptions(seen.steps);
    const bool better =
        best_.empty() || std::pair(preemptions, seen.steps.size()) < std::pair(preemptions_, best_.size());
    if (!better || !is_same_(*execution)) return false;
    preemptions_ = preemptions;
    best_ = std::move(seen.steps);
    return true;
  }

  std::vector<Choice> choices_until(size_t end) const {
    std::vector<Choice> choices;
    for (size_t i = 0; i < end; ++i) choices.push_back(best_[i].chosen);
    return choices;
  }

  // One preemption less, and nothing prescribed after it.
  bool drop_rest() {
    for (size_t i = 0; i < best_.size() && may_go_on(); ++i) {
      if (preempted_by(best_, i) && try_choices(choices_until(i))) return true;
    }
    return false;
  }

  // What a preempted thread does next is done where it was preempted.
  bool join_segments() {
    for (size_t i = best_.size(); i-- > 0 && may_go_on();) {
      const std::optional<uint32_t> running = preempted_by(best_, i);
      if (!running) continue;
      size_t resumes = i;
      while (resumes < best_.size() && best_[resumes].chosen.thread != *running) ++resumes;
      if (resumes == best_.size()) continue;
      size_t stops = resumes;
      while (stops < best_.size() && best_[stops].chosen.thread == *running) ++stops;
      std::vector<Choice> joined = choices_until(i);
      for (size_t k = resumes; k < stops; ++k) joined.push_back(best_[k].chosen);
      for (size_t k = i; k < resumes; ++k) joined.push_back(best_[k].chosen);
      for (size_t k = stops; k < best_.size(); ++k) joined.push_back(best_[k].chosen);
      if (try_choices(joined)) return true;
    }
    return false;
  }

  void search_cheaper() {
    if (best_.empty()) return;
    PreemptionBoundedSearch search(static_cast<uint32_t>(preemptions_));
    while (may_go_on()) {
      const std::optional<Plan> plan = search.next();
      if (!plan || search.price() > preemptions_) return;
      try_plan(*plan, &search);
    }
  }

  ForkServer& server_;
  TraceObserver& observer_;
  const ExecutionSetting& setting_;
  const std::function<bool(const Execution&)>& is_same_;
  const uint64_t max_executions_;
  const Clock::time_point deadline_;
  uint64_t executions_ = 0;
  std::vector<ObservedStep> best_;
  uint64_t preemptions_ = 0;
  std::optional<Error> error_;
};

}  // namespace

uint64_t count_preemptions(const std::vector<ObservedStep>& steps) {
  uint64_t count = 0;
  for (size_t i = 0; i < steps.size(); ++i) count += preempted_by(steps, i) ? 1 : 0;
  return count;
}

Expected<MinimizedFailure> minimize(ForkServer& server, TraceObserver& observer,
                                    const ExecutionSetting& setting, const std::vector<Choice>& failing,
                                    const std::function<bool(const Execution&)>& is_same,
                                    const MinimizeOptions& options) {
  return Minimizer(server, observer, setting, is_same, options).minimize(failing);
}

}  // namespace heddle
