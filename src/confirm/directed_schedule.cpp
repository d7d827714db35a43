#include "confirm/directed_schedule.h"

namespace heddle {

using trace::ChoiceRecord;
using trace::StepKind;

ScheduleMaker::ScheduleMaker(const trace::Trace& trace) : trace_(trace) {
  for (const trace::ThreadRecord& thread : trace.threads()) {
    entries_.push_back(thread.ordinal == 0 ? 0 : tree_.child(entries_[thread.parent], thread.ordinal));
  }
  steps_.resize(trace.threads().size());
  step_of_.resize(trace.events().size());
  const std::span<const ChoiceRecord> choices = trace.choices();
  uint64_t event = 0;
  uint32_t running = 0;
  // Events belong to the step of the thread that runs, and threads change with steps only.
  const auto take_events = [&](uint64_t end) {
    for (; event < end && event < step_of_.size(); ++event) {
      const size_t made = steps_[trace.events()[event].thread].size();
      step_of_[event] = made == 0 ? 0 : static_cast<uint32_t>(made - 1);
    }
  };
  for (uint64_t i = 0; i < choices.size(); ++i) {
    take_events(choices[i].first_event - trace.events_dropped());
    if (choices[i].kind == StepKind::kWake) {
      if (!steps_[running].empty()) steps_[running].back().wakes_to = i + 1;
      continue;
    }
    running = choices[i].thread;
    steps_[running].push_back({.choice = i, .wakes_from = i + 1, .wakes_to = i + 1});
  }
  take_events(step_of_.size());
}

DirectedSchedule ScheduleMaker::make(std::span<const uint64_t> events) const {
  DirectedSchedule made;
  made.schedule.threads = tree_;
  std::vector<uint32_t> done(steps_.size());  // by thread: steps in the schedule so far
  uint64_t count = 0;
  const auto add = [&](const ChoiceRecord& choice) {
    made.schedule.add(choice.kind, entries_[choice.thread]);
    ++count;
  };
  std::vector<std::vector<uint64_t>> number(steps_.size());  // by thread and step: of its choice
  for (const uint64_t event : events) {
    const uint32_t thread = trace_.events()[event].thread;
    const std::vector<Step>& steps = steps_[thread];
    // Steps without events of their own come along just before the next one that has some.
    for (; done[thread] < steps.size() && done[thread] <= step_of_[event]; ++done[thread]) {
      const Step& step = steps[done[thread]];
      number[thread].push_back(count);
      add(trace_.choices()[step.choice]);
      for (uint64_t i = step.wakes_from; i < step.wakes_to; ++i) add(trace_.choices()[i]);
    }
    made.choices.push_back(steps.empty() ? 0 : number[thread][step_of_[event]]);
  }
  return made;
}

}  // namespace heddle
