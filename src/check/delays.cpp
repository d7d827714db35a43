#include "check/delays.h"

#include <algorithm>
#include <array>
#include <unordered_map>
#include <unordered_set>

#include <fmt/format.h>

#include "explore/place.h"
#include "report/tellers.h"
#include "support/interruption.h"
#include "trace/names.h"

namespace heddle {
namespace {

using trace::EventKind;
using trace::EventRecord;
using trace::OutcomeKind;

// With the first, the other threads run as they would without preemption; with the rest, at random.
constexpr uint64_t kSeeds = 3;
// Changes with more places than that are for `explore`.
constexpr size_t kMostPlaces = 64;

bool takes_lock(EventKind kind) {
  return kind == EventKind::kLock || kind == EventKind::kReadLock || kind == EventKind::kTryLock ||
         kind == EventKind::kTryReadLock;
}

// The events of its thread around an event; its own number where there is no such event.
struct Around {
  uint64_t before;
  uint64_t after;
  uint64_t lock;  // taken last
};

// In the order of `events`, which is that of the trace.
std::vector<Around> look_around(const trace::Trace& trace, const std::vector<uint64_t>& events) {
  struct OfThread {
    std::optional<uint64_t> last;
    std::optional<uint64_t> lock;
    std::optional<size_t> open;  // an event that the next one comes after
  };
  std::vector<OfThread> threads(trace.threads().size());
  std::vector<Around> result;
  for (uint64_t event = 0; event < trace.events().size(); ++event) {
    const EventRecord& record = trace.events()[event];
    OfThread& thread = threads[record.thread];
    if (thread.open) result[*thread.open].after = event;
    thread.open.reset();
    if (result.size() < events.size() && events[result.size()] == event) {
      result.push_back({thread.last.value_or(event), event, thread.lock.value_or(event)});
      thread.open = result.size() - 1;
    }
    if (takes_lock(record.kind)) thread.lock = event;
    thread.last = event;
  }
  return result;
}

std::string delay_text(TraceSymbols& symbols, uint64_t number) {
  const EventRecord& event = symbols.trace().events()[number];
  return fmt::format("it happened when threads waited before {} at {} as long as anybody else could go on",
                     trace::to_text(event.kind), symbols.site_text(event.site, event.context));
}

// One that was not seen to its end says nothing about the program.
bool has_failed(const Execution& execution) {
  return execution.failed() && execution.outcome.kind != OutcomeKind::kKilled &&
         execution.outcome.kind != OutcomeKind::kInternal;
}

}  // namespace

Delays::Delays(TestImpact& test, const StatementsOfBoth& statements, FindingListener& listener,
               std::chrono::steady_clock::time_point deadline, DelayHistory* history)
    : test_(test), statements_(statements), listener_(listener), deadline_(deadline), history_(history) {}

Expected<void> Delays::run() {
  if (test_.head.server == nullptr || history_->has_harm) return {};
  places_ = places_in_head();
  for (uint64_t seed = 0; seed < kSeeds && !history_->has_harm; ++seed)
    for (const Place& place : places_) {
      if (std::chrono::steady_clock::now() >= deadline_ || was_interrupted()) {
        ++not_tried_;
        continue;
      }
      if (const Expected<void> tried = try_head(place, seed); !tried) return tried;
    }
  return {};
}

// The events themselves come first, and of what is around them the nearest.
std::vector<Delays::Place> Delays::places_in_head() const {
  const trace::Trace& trace = test_.head.recording.trace();
  std::vector<uint64_t> events;
  for (const ImpactedEvent& impacted : test_.impact.events) events.push_back(impacted.event);
  const std::vector<Around> around = look_around(trace, events);
  const PlaceNames names(trace);
  std::vector<Place> places;
  const auto add = [&](uint64_t event) {
    if (places.size() >= kMostPlaces) return;
    const uint64_t key = names.place_of(trace, trace.events()[event]);
    if (history_->places.insert(key).second) places.push_back({key, event});
  };
  for (const uint64_t event : events) add(event);
  for (const Around& of_event : around) add(of_event.lock);
  for (const Around& of_event : around) add(of_event.after);
  for (const Around& of_event : around) add(of_event.before);
  return places;
}

// Statements that only the head has are none, but those around them are.
std::vector<uint64_t> Delays::places_in_base() const {
  const trace::Trace& head = test_.head.recording.trace();
  const trace::Trace& base = test_.base.recording.trace();
  std::unordered_set<uint64_t> statements;
  std::vector<uint64_t> events;
  for (const Place& place : places_) events.push_back(place.event);
  std::sort(events.begin(), events.end());
  for (const Around& around : look_around(head, events))
    for (const uint64_t event : {around.before, around.after, around.lock})
      statements.insert(test_.head.names.statement(head.events()[event].site));
  for (const uint64_t event : events)
    statements.insert(test_.head.names.statement(head.events()[event].site));
  const PlaceNames names(base);
  std::vector<uint64_t> places;
  std::unordered_set<uint64_t> seen;
  for (const EventRecord& event : base.events()) {
    if (!statements.contains(test_.base.names.statement(event.site))) continue;
    const uint64_t key = names.place_of(base, event);
    if (seen.insert(key).second) places.push_back(key);
  }
  return places;
}

Expected<Execution> Delays::execute(const VersionOfTest& version, uint64_t place, uint64_t seed,
                                    ExecutionRequest* request) {
  const std::array<uint64_t, 1> places = {place};
  request->policy = {.kind = trace::PolicyKind::kDelay, .seed = seed};
  request->statements = places;
  request->flags = version.recording.request.flags;
  request->max_steps = version.recording.request.max_steps;
  request->timeout = version.recording.request.timeout;
  Expected<Execution> execution = version.server->run(*request);
  request->statements = {};
  ++executions_;
  return execution;
}

Expected<void> Delays::try_head(const Place& place, uint64_t seed) {
  ExecutionRequest request;
  const Expected<Execution> execution = execute(test_.head, place.key, seed, &request);
  if (!execution) return tl::unexpected(execution.error());
  if (!has_failed(*execution)) return {};
  history_->has_harm = true;
  const trace::Trace trace = execution->trace.clone();
  ReportContext context(trace, listener_.symbolizer(), listener_.directory());
  std::optional<FailureStory> story = tell_failure(context);
  if (!story || !listener_.news(context, *story, execution->outcome.kind)) return {};
  const trace::Schedule schedule = test_.head.server->schedule_of(request, *execution);
  return listener_.tell(context, std::move(*story),
                        {.kind = execution->outcome.kind,
                         .confirmation = Confirmation::kExecuted,
                         .notes = {delay_text(*test_.head.symbols, place.event)},
                         .schedule = &schedule,
                         .executions = executions_});
}

Expected<bool> Delays::base_has(const FindingOfBoth& finding) {
  if (test_.base.server == nullptr) return false;
  if (!base_has_) {
    base_has_.emplace();
    for (const uint64_t place : places_in_base())
      for (uint64_t seed = 0; seed < kSeeds; ++seed)
        if (const Expected<void> tried = try_base(place, seed); !tried) return tl::unexpected(tried.error());
  }
  return base_has_->contains(finding);
}

Expected<void> Delays::try_base(uint64_t place, uint64_t seed) {
  ExecutionRequest request;
  const Expected<Execution> execution = execute(test_.base, place, seed, &request);
  if (!execution) return tl::unexpected(execution.error());
  if (!has_failed(*execution)) return {};
  const trace::Trace trace = execution->trace.clone();
  if (const std::optional<Finding> failure = make_finding(trace, listener_.symbolizer()))
    base_has_->insert(finding_of_both(*failure, statements_.base));
  return {};
}

}  // namespace heddle
