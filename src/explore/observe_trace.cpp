#include "explore/observe_trace.h"

#include "trace/dependence.h"
#include "trace/hash.h"

namespace heddle {
namespace {

using trace::EventKind;
using trace::EventRecord;
using trace::StepKind;
using trace::Trace;

uint64_t mix(uint64_t hash, uint64_t value) {
  return trace::fnv1a({reinterpret_cast<const char*>(&value), sizeof value}, hash);
}

// What a thread that waits will do when it need not wait any more.
EventKind awaited_event(trace::WaitKind wait) {
  switch (wait) {
    case trace::WaitKind::kLock:
      return EventKind::kLock;
    case trace::WaitKind::kReadLock:
      return EventKind::kReadLock;
    case trace::WaitKind::kJoin:
      return EventKind::kJoin;
    case trace::WaitKind::kCond:
      return EventKind::kCondWake;
    case trace::WaitKind::kSemaphore:
      return EventKind::kSemWait;
    case trace::WaitKind::kBarrier:
      return EventKind::kBarrierLeave;
    case trace::WaitKind::kOnce:
      return EventKind::kOncePassed;
    case trace::WaitKind::kFutex:
      return EventKind::kFutexAwake;
    case trace::WaitKind::kInput:
      return EventKind::kAccess;
    default:
      return EventKind::kNone;
  }
}

}  // namespace

uint32_t observing_flags(Detail detail) {
  switch (detail) {
    case Detail::kOutcome:
      return 0;
    case Detail::kChoices:
      return trace::request_flag::kRecordChoices;
    case Detail::kEvents:
      return trace::request_flag::kRecordEvents;
    case Detail::kOperations:
      return trace::request_flag::kRecordChoices | trace::request_flag::kRecordEvents |
             trace::request_flag::kRecordPointsOnly;
  }
  return 0;
}

void TraceObserver::observe_threads(const Trace& trace) {
  entries_.clear();
  for (const trace::ThreadRecord& thread : trace.threads()) {
    entries_.push_back(
        thread.ordinal == 0 ? 0 : schedule_.threads.child(entries_[thread.parent], thread.ordinal));
  }
}

// The same in all executions that begin with the same choices: made of what the object is, not of its place
// in the table.
uint64_t TraceObserver::object_key(const Trace& trace, uint32_t object) const {
  if (object == 0) return 0;
  const trace::ObjectRecord& record = trace.objects()[object];
  const bool by_thread =
      record.kind == trace::ObjectKind::kStack || record.kind == trace::ObjectKind::kThread;
  const uint64_t owner = by_thread ? entries_[record.owner] : record.owner;
  return mix(mix(mix(trace::fnv1a("object"), static_cast<uint64_t>(record.kind)), owner), record.identity);
}

void TraceObserver::name_place(const Trace& trace, const EventRecord& event, Operation* operation) const {
  operation->place = places_.place_of(trace, event);
  operation->statement = statements_ != nullptr ? statements_->key(event) : operation->place;
  operation->is_preferred = preferred_ != nullptr && preferred_->includes(trace, event, operation->place);
}

Operation TraceObserver::operation_of(const Trace& trace, const EventRecord& event) const {
  Operation operation{.kind = event.kind,
                      .object = object_key(trace, event.object),
                      .offset = event.offset,
                      .flags = event.flags};
  name_place(trace, event, &operation);
  if (trace::has_extent(event.kind)) operation.size = std::max<uint64_t>(1, event.size);
  if (event.kind == EventKind::kFork || event.kind == EventKind::kJoin) operation.peer = entries_[event.peer];
  return operation;
}

Operation TraceObserver::pending_operation(const Trace& trace, const trace::BlockedRecord& blocked) const {
  const EventRecord awaited{
      .site = blocked.site, .context = blocked.context, .kind = awaited_event(blocked.wait)};
  const bool joins = blocked.wait == trace::WaitKind::kJoin && blocked.holder != 0;
  Operation operation{.kind = awaited.kind,
                      .object = object_key(trace, blocked.object),
                      .offset = blocked.offset,
                      .peer = joins ? entries_[blocked.holder - 1] : 0};
  name_place(trace, awaited, &operation);
  return operation;
}

void TraceObserver::observe_events(const Trace& trace, Observation* seen) const {
  for (const EventRecord& event : trace.events()) {
    const Choice chosen{entries_[event.thread]};
    const bool begins = (event.flags & trace::event_flag::kPoint) != 0;
    if (begins || seen->steps.empty() || seen->steps.back().chosen != chosen)
      seen->steps.push_back({.chosen = chosen});
    seen->steps.back().operations.push_back(operation_of(trace, event));
  }
}

Observation TraceObserver::observe(const Execution& execution, Detail detail) {
  Observation seen;
  seen.outcome = execution.outcome.kind;
  seen.diverged = execution.outcome.diverged_step != 0;
  seen.blocked = execution.outcome.abandoned == trace::Abandoned::kAllAsleep;
  if (detail == Detail::kOutcome) return seen;

  const Trace& trace = execution.trace;
  observe_threads(trace);
  if (statements_ != nullptr) statements_->begin(trace);
  places_ = PlaceNames(trace);
  if (detail == Detail::kEvents) {
    observe_events(trace, &seen);
    return seen;
  }
  const auto choice_of = [&](uint32_t thread, StepKind kind) { return Choice{entries_[thread], kind}; };
  uint64_t next_event = 0;
  size_t running =
      0;  // the step whose operations come now: a choice of whom to wake belongs to the one before
  const auto add_operations_until = [&](uint64_t end) {
    if (detail != Detail::kOperations || seen.steps.empty()) return;
    for (end = std::min<uint64_t>(end, trace.events().size()); next_event < end; ++next_event)
      seen.steps[running].operations.push_back(operation_of(trace, trace.events()[next_event]));
  };
  for (const trace::ChoiceRecord& record : trace.choices()) {
    if (record.kind != StepKind::kWake) {
      add_operations_until(record.first_event);
      running = seen.steps.size();
    }
    ObservedStep& step = seen.steps.emplace_back();
    step.chosen = choice_of(record.thread, record.kind);
    if (record.alternatives < 2) {
      step.alternatives = {step.chosen};
    } else {
      for (const trace::AlternativeRecord& other :
           trace.alternatives().subspan(record.first_alternative, record.alternatives))
        step.alternatives.push_back(choice_of(other.thread, other.kind));
    }
  }
  add_operations_until(trace.events().size());
  if (detail == Detail::kOperations) {
    semaphores_.fill(&seen);
    for (const trace::BlockedRecord& blocked : trace.blocked())
      seen.pending.push_back({entries_[blocked.thread], pending_operation(trace, blocked)});
  }
  return seen;
}

std::optional<std::vector<Choice>> TraceObserver::choices_of(const Execution& execution) {
  observe_threads(execution.trace);
  std::vector<Choice> choices;
  for (const trace::StepRecord& step : execution.trace.steps()) {
    if (step.kind == StepKind::kFail) return std::nullopt;
    choices.insert(choices.end(), step.kind == StepKind::kRun ? step.count : 1,
                   Choice{entries_[step.thread], step.kind});
  }
  return choices;
}

ExecutionRequest TraceObserver::request_for(const Plan& plan, Detail detail) {
  schedule_.steps.clear();
  for (const Choice& choice : plan.prefix) schedule_.add(choice.kind, choice.thread);
  asleep_.clear();
  for (const Sleeper& sleeper : plan.asleep)
    asleep_.push_back({sleeper.choice.thread, sleeper.choice.kind, sleeper.looks_only ? 1u : 0u, 0});
  ExecutionRequest request;
  request.schedule = &schedule_;
  request.asleep = asleep_;
  request.policy = plan.then;
  guidance_ = plan.guidance;
  request.statements = guidance_.statements;
  request.estimates = guidance_.estimates;
  request.constraints = guidance_.constraints;
  request.flags = observing_flags(detail);
  if (!plan.runs_spinning) request.flags |= trace::request_flag::kLeaveParked;
  request.stop_at_divergence = true;
  return request;
}

}  // namespace heddle
