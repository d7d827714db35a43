#include "confirm/confirm.h"

#include <algorithm>

#include <fmt/format.h>

#include "confirm/reference.h"
#include "trace/dependence.h"

namespace heddle {
namespace {

using trace::EventRecord;
using trace::OutcomeKind;
using trace::PolicyKind;
using namespace trace::request_flag;

// Seeds of the policy that lets threads wait for each other. More of them mostly repeat what was tried.
constexpr uint64_t kMeetings = 4;

bool overlap(const EventRecord& a, const EventRecord& b) {
  const auto size = [](const EventRecord& event) -> uint64_t {
    return trace::has_extent(event.kind) ? std::max<uint32_t>(event.size, 1) : 1;
  };
  return a.object == b.object && a.offset < b.offset + size(b) && b.offset < a.offset + size(a);
}

bool conflict(const EventRecord& a, const EventRecord& b) {
  return a.thread != b.thread && trace::has_extent(a.kind) && trace::has_extent(b.kind) && overlap(a, b) &&
         trace::classes_depend(trace::class_of(a.kind, a.flags), trace::class_of(b.kind, b.flags));
}

// The events of the steps of an execution, by the number of the choice.
class StepEvents {
 public:
  explicit StepEvents(const trace::Trace& trace) : trace_(trace) {}

  size_t size() const { return trace_.choices().size(); }
  bool is_step(size_t choice) const { return trace_.choices()[choice].kind != trace::StepKind::kWake; }
  uint64_t begin(size_t choice) const {
    return choice < size() ? trace_.choices()[choice].first_event : trace_.events().size();
  }
  uint64_t end(size_t choice) const { return begin(choice + 1); }

 private:
  const trace::Trace& trace_;
};

bool uses_after_free(const trace::Trace& trace, const std::vector<uint64_t>& events) {
  return events.size() == 2 && trace.events()[events[0]].kind == trace::EventKind::kFree &&
         trace.events()[events[1]].kind != trace::EventKind::kFree;
}

// Why the events in question were not found in an execution of `schedule`.
std::string what_came_instead(const Execution& execution, const trace::Schedule* schedule) {
  if (!execution.divergence.empty()) return "the schedule could not be followed: " + execution.divergence;
  if (schedule != nullptr && schedule->choices() == 0)
    return "the trace does not say how it was scheduled, so there is no schedule to execute";
  const uint64_t made = execution.trace.choices().size();
  if (schedule != nullptr && made < schedule->choices()) {
    return fmt::format("the schedule could not be followed: the program ended after {} of its {} choices",
                       made, schedule->choices());
  }
  return "the schedule was executed, but the program did something else";
}

// Two executions that differ in the order of two accesses only.
void compare(const std::optional<std::string>& one, const std::optional<std::string>& other,
             Verdict* verdict) {
  if (verdict->confirmed != Confirmed::kBenign || !one || !other || *one == *other) return;
  verdict->confirmed = Confirmed::kHarmful;
  verdict->why = "what the test prints depends on which of the two comes first";
}

}  // namespace

Confirmer::Confirmer(ForkServer& server, const Recording& recording, const Judge& judge)
    : server_(server),
      recording_(recording),
      judge_(judge),
      maker_(recording.trace()),
      places_(recording.trace()) {}

// Keeps in `verdict` the worst that was shown so far.
Expected<Confirmer::Shown> Confirmer::attempt(ExecutionRequest request, const Look& look, Verdict* verdict) {
  request.flags |= recording_.request.flags;
  request.max_steps = recording_.request.max_steps;
  request.timeout = recording_.request.timeout;
  const Expected<Execution> execution = server_.run(request);
  if (!execution) return tl::unexpected(execution.error());
  ++verdict->executions;
  Found events = look(execution->trace);
  if (!events) {
    if (verdict->confirmed == Confirmed::kNotReproduced)
      verdict->why = what_came_instead(*execution, request.schedule);
    return Shown();
  }
  const Shown output = comparable_output(*execution);
  std::optional<std::string> objection = judge_.objection(*execution);
  if (!objection && uses_after_free(execution->trace, *events))
    objection = "memory was used after it had been freed";
  if (verdict->confirmed != Confirmed::kNotReproduced && !objection) return output;
  verdict->confirmed = objection ? Confirmed::kHarmful : Confirmed::kBenign;
  verdict->why = objection.value_or("");
  verdict->schedule = server_.schedule_of(request, *execution);
  verdict->events = std::move(*events);
  verdict->execution = *execution;
  verdict->execution.trace = execution->trace.clone();
  verdict->execution.learned = {};
  return output;
}

Confirmer::Found Confirmer::find_accesses(const trace::Trace& trace, const Prediction& prediction,
                                          const std::vector<uint64_t>& choices) const {
  const trace::Trace& predicted = recording_.trace();
  const PlaceNames places(trace);
  const StepEvents steps(trace);
  const uint64_t diverged = trace.outcome().diverged_step;  // 0: not at all
  const bool failed = trace.outcome().kind != OutcomeKind::kOk;
  std::vector<uint64_t> found;
  for (size_t i = 0; i < prediction.events.size(); ++i) {
    const EventRecord& wanted = predicted.events()[prediction.events[i]];
    const bool is_reached = choices[i] < steps.size() && (diverged == 0 || choices[i] + 1 < diverged);
    // A program that fails after the last but one does not come to the last: its thread was about to do it.
    if (!is_reached && failed && i > 0 && i + 1 == prediction.events.size()) return found;
    if (!is_reached) return std::nullopt;
    uint64_t at = steps.begin(choices[i]);
    const uint64_t end = steps.end(choices[i]);
    while (at < end &&
           !(trace.events()[at].kind == wanted.kind &&
             places.site_of(trace, trace.events()[at].site) == places_.site_of(predicted, wanted.site))) {
      ++at;
    }
    if (at == end) return std::nullopt;
    found.push_back(at);
    // What was one location must be one again.
    for (size_t j = 0; j < i; ++j) {
      const EventRecord& other = predicted.events()[prediction.events[j]];
      if (overlap(wanted, other) && !overlap(trace.events()[at], trace.events()[found[j]]))
        return std::nullopt;
    }
  }
  return found;
}

std::vector<uint64_t> Confirmer::keys_of(const Suspicion& suspicion) const {
  std::vector<uint64_t> keys;
  for (const uint32_t site : suspicion.sites) keys.push_back(places_.site_of(recording_.trace(), site));
  std::sort(keys.begin(), keys.end());
  keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
  return keys;
}

// That the threads which wait for each other wait at the sites in question.
Confirmer::Found Confirmer::find_deadlock(const trace::Trace& trace, const Suspicion& suspicion) const {
  if (trace.outcome().kind != OutcomeKind::kDeadlock) return std::nullopt;
  const PlaceNames places(trace);
  std::vector<uint64_t> keys = keys_of(suspicion);
  for (const trace::BlockedRecord& blocked : trace.blocked()) {
    if (blocked.wait != trace::WaitKind::kNone) std::erase(keys, places.site_of(trace, blocked.site));
  }
  if (!keys.empty()) return std::nullopt;
  return std::vector<uint64_t>();
}

// Two steps in a row that access the same memory at the two sites.
Confirmer::Found Confirmer::find_meeting(const trace::Trace& trace, const Suspicion& suspicion) const {
  const PlaceNames places(trace);
  const StepEvents steps(trace);
  const std::vector<uint64_t> keys = keys_of(suspicion);
  const auto is_at = [&](uint64_t event, uint64_t key) {
    return places.site_of(trace, trace.events()[event].site) == key;
  };
  for (size_t choice = 0; choice + 1 < steps.size(); ++choice) {
    for (uint64_t first = steps.begin(choice); first < steps.end(choice); ++first) {
      for (uint64_t second = steps.begin(choice + 1); second < steps.end(choice + 1); ++second) {
        const bool fits = (is_at(first, keys.front()) && is_at(second, keys.back())) ||
                          (is_at(first, keys.back()) && is_at(second, keys.front()));
        if (fits && conflict(trace.events()[first], trace.events()[second]))
          return std::vector<uint64_t>{first, second};
      }
    }
  }
  return std::nullopt;
}

Expected<Confirmer::Shown> Confirmer::try_order(const Prediction& prediction,
                                                const std::vector<uint64_t>& order, Verdict* verdict) {
  const DirectedSchedule directed = maker_.make(order);
  std::vector<uint64_t> choices;
  for (const uint64_t event : prediction.events) {
    const auto at = std::find(order.rbegin(), order.rend(), event);
    if (at != order.rend()) choices.push_back(directed.choices[static_cast<size_t>(order.rend() - at) - 1]);
  }
  ExecutionRequest request;
  // What the program does once it has read another value than before may well be the harm that is looked for,
  // so it goes on where the schedule cannot be followed.
  request.schedule = &directed.schedule;
  const Look look = [&](const trace::Trace& trace) {
    return prediction.kind == PredictionKind::kDeadlock ? find_deadlock(trace, suspicion_of(prediction))
                                                        : find_accesses(trace, prediction, choices);
  };
  return attempt(request, look, verdict);
}

Suspicion Confirmer::suspicion_of(const Prediction& prediction) const {
  Suspicion suspicion{.is_deadlock = prediction.kind == PredictionKind::kDeadlock};
  for (const uint64_t event : prediction.events)
    suspicion.sites.push_back(recording_.trace().events()[event].site);
  return suspicion;
}

Expected<Confirmer::Shown> Confirmer::try_meeting(const Suspicion& suspicion, trace::PolicySpec policy,
                                                  Verdict* verdict) {
  const std::vector<uint64_t> keys = keys_of(suspicion);
  ExecutionRequest request;
  request.policy = policy;
  request.statements = keys;
  const Look look = [&](const trace::Trace& trace) {
    return suspicion.is_deadlock ? find_deadlock(trace, suspicion) : find_meeting(trace, suspicion);
  };
  return attempt(request, look, verdict);
}

Expected<void> Confirmer::make_replayable(bool is_race, Verdict* verdict) {
  if (verdict->confirmed == Confirmed::kNotReproduced || verdict->schedule.failure) return {};
  if (is_race) {
    ExecutionRequest request;
    request.schedule = &verdict->schedule;
    request.policy = verdict->schedule.then;
    request.flags = recording_.request.flags | kDetectRaces;
    request.max_steps = recording_.request.max_steps;
    request.timeout = recording_.request.timeout;
    const Expected<Execution> execution = server_.run(request);
    if (!execution) return tl::unexpected(execution.error());
    ++verdict->executions;
    if (execution->failed()) {
      std::string made_by = std::move(verdict->schedule.policy);
      verdict->schedule = server_.schedule_of(request, *execution);
      verdict->schedule.policy = std::move(made_by);
      return {};
    }
  }
  verdict->schedule.output = output_hash(verdict->execution);
  return {};
}

Expected<Verdict> Confirmer::verify(const Suspicion& suspicion) {
  Expected<Verdict> verdict = meet(suspicion);
  if (!verdict) return verdict;
  const Expected<void> made = make_replayable(!suspicion.is_deadlock, &*verdict);
  if (!made) return tl::unexpected(made.error());
  return verdict;
}

Expected<Verdict> Confirmer::meet(const Suspicion& suspicion) {
  Verdict verdict;
  for (uint64_t seed = 0; seed < kMeetings; ++seed) {
    const Expected<Shown> one = try_meeting(suspicion, {.kind = PolicyKind::kMeet, .seed = seed}, &verdict);
    if (!one) return tl::unexpected(one.error());
    if (verdict.confirmed == Confirmed::kHarmful) return verdict;
    const Expected<Shown> other =
        try_meeting(suspicion, {.kind = PolicyKind::kMeetReversed, .seed = seed}, &verdict);
    if (!other) return tl::unexpected(other.error());
    compare(*one, *other, &verdict);
    if (verdict.confirmed == Confirmed::kHarmful) return verdict;
    if (verdict.confirmed == Confirmed::kBenign) return verdict;
  }
  verdict.why = "the threads did not meet";
  return verdict;
}

Expected<Verdict> Confirmer::confirm(const Prediction& prediction) {
  Verdict verdict;
  std::vector<uint64_t> order = schedule_of(recording_.trace(), prediction.witness);
  const Expected<Shown> one = try_order(prediction, order, &verdict);
  if (!one) return tl::unexpected(one.error());
  if (prediction.kind == PredictionKind::kRace && verdict.confirmed != Confirmed::kHarmful) {
    std::swap(order[order.size() - 1], order[order.size() - 2]);
    Prediction reversed = prediction;
    std::reverse(reversed.events.begin(), reversed.events.end());
    const Expected<Shown> other = try_order(reversed, order, &verdict);
    if (!other) return tl::unexpected(other.error());
    compare(*one, *other, &verdict);
  }
  const bool is_race = prediction.kind == PredictionKind::kRace;
  if (const Expected<void> made = make_replayable(is_race, &verdict); !made)
    return tl::unexpected(made.error());
  const bool can_meet = is_race || prediction.kind == PredictionKind::kDeadlock;
  if (verdict.confirmed != Confirmed::kNotReproduced || !can_meet) return verdict;
  Expected<Verdict> met = verify(suspicion_of(prediction));
  if (!met) return met;
  met->executions += verdict.executions;
  if (met->confirmed == Confirmed::kNotReproduced) met->why = verdict.why;
  return met;
}

}  // namespace heddle
