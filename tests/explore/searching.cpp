#include "searching.h"

#include <algorithm>

#include "explore/effect.h"

namespace heddle {
namespace {

std::string print_schedule(const Observation& seen) {
  std::string text;
  for (const ObservedStep& step : seen.steps)
    text += std::to_string(step.chosen.thread) + "rtws"[static_cast<size_t>(step.chosen.kind)];
  return text;
}

}  // namespace

// A step is named by its thread, its number in the thread, and its kind; its edges are to the last step of
// each other thread that must come before it.
std::string order_of(const Observation& seen) {
  struct Step {
    uint32_t thread = 0;
    uint32_t number = 0;
    std::string name;
    Effects effects;
    std::vector<uint32_t> past;  // by thread
  };
  std::vector<Step> steps;
  std::vector<uint32_t> counts(64);
  std::vector<bool> waits(64);  // on the only condition
  std::vector<int> woken_by(64, -1);
  for (const ObservedStep& observed : seen.steps) {
    if (observed.chosen.kind == trace::StepKind::kWake) {
      steps.back().name += "w" + std::to_string(observed.chosen.thread);
      waits[observed.chosen.thread] = false;
      woken_by[observed.chosen.thread] = static_cast<int>(steps.size()) - 1;
      continue;
    }
    Step step;
    step.thread = observed.chosen.thread;
    step.number = ++counts[step.thread];
    step.name = std::to_string(static_cast<int>(observed.chosen.kind));
    step.effects = effects_of(observed.operations, observed.chosen);
    step.past.resize(64);
    for (const Step& other : steps) {
      bool ordered = other.thread == step.thread || depend(other.effects, step.effects) ||
                     woken_by[step.thread] == &other - steps.data();
      for (const Effect& effect : other.effects)
        ordered |= effect.event == trace::EventKind::kFork && effect.peer == step.thread;
      if (!ordered) continue;
      for (size_t t = 0; t < 64; ++t) step.past[t] = std::max(step.past[t], other.past[t]);
      step.past[other.thread] = std::max(step.past[other.thread], other.number);
    }
    woken_by[step.thread] = -1;
    steps.push_back(std::move(step));
    for (const Effect& effect : steps.back().effects) {
      if (effect.event == trace::EventKind::kCondWait) waits[observed.chosen.thread] = true;
      if (effect.event == trace::EventKind::kCondWake) waits[observed.chosen.thread] = false;
      const auto waiting = std::count(waits.begin(), waits.end(), true);
      if (effect.event == trace::EventKind::kNotifyAll ||
          (effect.event == trace::EventKind::kNotifyOne && waiting == 1)) {
        for (size_t t = 0; t < 64; ++t) {
          if (waits[t]) woken_by[t] = static_cast<int>(steps.size()) - 1;
          waits[t] = false;
        }
      }
    }
  }
  std::sort(steps.begin(), steps.end(), [](const Step& a, const Step& b) {
    return std::pair(a.thread, a.number) < std::pair(b.thread, b.number);
  });
  std::string text;
  for (const Step& step : steps) {
    text += std::to_string(step.thread) + "." + std::to_string(step.number) + step.name + "(";
    for (size_t t = 0; t < 64; ++t) {
      if (step.past[t] != 0) text += std::to_string(t) + "." + std::to_string(step.past[t]) + " ";
    }
    text += ")";
  }
  return text;
}

SearchResult search(const Program& program, Strategy& strategy, uint64_t limit, Keep keep) {
  SearchResult result;
  while (result.executions < limit) {
    const std::optional<Plan> plan = strategy.next();
    if (!plan) {
      result.finished = true;
      break;
    }
    const Run run = interpret(program, *plan);
    strategy.learn(run.seen);
    result.executions++;
    if (run.seen.blocked) result.blocked++;
    if (run.seen.diverged) result.diverged++;
    if (run.seen.blocked || run.seen.diverged) continue;
    result.final_states.insert(run.final_state);
    result.outcomes[run.seen.outcome]++;
    if (keep == Keep::kSchedules) result.schedules.insert(print_schedule(run.seen));
    const bool failed = run.seen.outcome == trace::OutcomeKind::kAssertion;
    if (keep == Keep::kOrders && !failed && !result.orders.insert(order_of(run.seen)).second)
      result.repeated++;
  }
  result.claim = strategy.claim();
  return result;
}

}  // namespace heddle
