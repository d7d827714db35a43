#include "check/carried_schedule.h"

#include <algorithm>
#include <map>
#include <optional>
#include <unordered_map>

#include "trace/variable_key.h"

namespace heddle {
namespace {

using trace::ChoiceRecord;
using trace::EventRecord;
using trace::StepKind;
using trace::Trace;

// Statements that a change has removed: so many later ones of the thread may take their place.
constexpr size_t kMostStops = 32;
// More than any execution has.
constexpr uint32_t kAsFarAsItGoes = uint32_t{1} << 30;

// The place of each event.
std::vector<PlaceInThread> places_of(const ComparableTrace& trace) {
  std::vector<PlaceInThread> places;
  std::map<std::pair<uint32_t, uint64_t>, uint64_t> counts;  // by thread and operation
  for (const EventRecord& event : trace.trace().events()) {
    const uint64_t operation =
        trace::mix_key(trace.place(event.context, event.site), static_cast<uint64_t>(event.kind));
    places.push_back({operation, ++counts[{event.thread, operation}]});
  }
  return places;
}

// Where the events of a choice end.
uint64_t end_of(const Trace& trace, size_t choice) {
  const std::span<const ChoiceRecord> choices = trace.choices();
  const uint64_t end = choice + 1 < choices.size() ? choices[choice + 1].first_event - trace.events_dropped()
                                                   : trace.events().size();
  return std::min<uint64_t>(end, trace.events().size());
}

// Where in a schedule's tree a thread of a trace is.
uint32_t entry_of(const Trace& trace, uint32_t thread, trace::ThreadTree& tree) {
  const trace::ThreadRecord& record = trace.threads()[thread];
  return record.ordinal == 0 ? 0 : tree.child(entry_of(trace, record.parent, tree), record.ordinal);
}

// An execution of the head whose last steps are to be those of one run.
class RunInHead {
 public:
  RunInHead(const Trace& trace, const VersionNames& names) : trace_(trace, names) {}

  std::optional<uint32_t> thread_of(const ThreadRun& run) const {
    for (uint32_t thread = 0; thread < trace_.trace().threads().size(); ++thread)
      if (trace_.thread(thread) == run.thread) return thread;
    return std::nullopt;
  }

  bool begins(const ThreadRun& run, uint32_t thread, uint64_t from) const {
    const std::span<const ChoiceRecord> choices = trace_.trace().choices();
    return from < choices.size() && choices[from].kind == run.kind && choices[from].thread == thread;
  }

  // Adds what the thread does from this choice on up to the end of its run. False if it does not get there.
  bool add_run(const ThreadRun& run, uint32_t thread, uint64_t from, trace::Schedule* schedule) const {
    const Trace& trace = trace_.trace();
    const std::optional<uint64_t> stop = stop_of(run, thread, from);
    for (uint64_t i = from; i < trace.choices().size(); ++i) {
      const ChoiceRecord& choice = trace.choices()[i];
      const bool is_own =
          choice.kind == StepKind::kWake || (choice.kind == StepKind::kRun && choice.thread == thread);
      // It cannot go on. If it waits to do what it was about to do in the base, it has come as far.
      if (!is_own) return run.stops.empty() || (stop && next_event(thread, i) == stop);
      if (stop && choice.kind != StepKind::kWake && *stop < end_of(trace, i)) return true;
      schedule->add(choice.kind, entry_of(trace, choice.thread, schedule->threads));
    }
    return run.stops.empty();
  }

 private:
  // Of the thread, from this choice on.
  std::optional<uint64_t> next_event(uint32_t thread, uint64_t choice) const {
    const Trace& trace = trace_.trace();
    for (uint64_t event = trace.choices()[choice].first_event - trace.events_dropped();
         event < trace.events().size(); ++event)
      if (trace.events()[event].thread == thread) return event;
    return std::nullopt;
  }

  // The event before which the run ends.
  std::optional<uint64_t> stop_of(const ThreadRun& run, uint32_t thread, uint64_t from) const {
    const Trace& trace = trace_.trace();
    if (from >= trace.choices().size()) return std::nullopt;
    const std::vector<PlaceInThread> places = places_of(trace_);
    const uint64_t first = trace.choices()[from].first_event - trace.events_dropped();
    for (const PlaceInThread& stop : run.stops)
      for (uint64_t event = first; event < places.size(); ++event)
        if (trace.events()[event].thread == thread && places[event] == stop) return event;
    return std::nullopt;
  }

  const ComparableTrace trace_;
};

}  // namespace

std::vector<ThreadRun> runs_of(const ComparableTrace& comparable) {
  const Trace& trace = comparable.trace();
  const std::vector<PlaceInThread> places = places_of(comparable);
  std::vector<std::vector<uint64_t>> events_of(trace.threads().size());
  for (uint64_t event = 0; event < trace.events().size(); ++event)
    events_of[trace.events()[event].thread].push_back(event);

  std::vector<ThreadRun> runs;
  constexpr uint32_t kNobody = ~uint32_t{0};
  uint32_t running = kNobody;
  const auto end_run = [&](uint64_t end) {
    if (running == kNobody) return;
    const std::vector<uint64_t>& own = events_of[running];
    auto next = std::lower_bound(own.begin(), own.end(), end);
    for (; next != own.end() && runs.back().stops.size() < kMostStops; ++next)
      runs.back().stops.push_back(places[*next]);
    running = kNobody;
  };
  for (size_t i = 0; i < trace.choices().size(); ++i) {
    const ChoiceRecord& choice = trace.choices()[i];
    if (choice.kind == StepKind::kWake) continue;
    if (choice.kind == StepKind::kRun && running == choice.thread) continue;
    end_run(choice.first_event - trace.events_dropped());
    runs.push_back({.thread = comparable.thread(choice.thread), .kind = choice.kind, .stops = {}});
    if (choice.kind == StepKind::kRun) running = choice.thread;
  }
  return runs;
}

Expected<CarriedSchedule> carry_over(const std::vector<ThreadRun>& runs, const HeadOfSchedule& head) {
  CarriedSchedule carried;
  Expected<Execution> last = head.execute(carried.schedule);
  ++carried.executions;
  for (const ThreadRun& run : runs) {
    if (!last) break;
    VersionNames names = head.names(last->trace);
    const std::optional<uint32_t> thread = RunInHead(last->trace, names).thread_of(run);
    if (!thread) break;
    const uint64_t from = carried.schedule.choices();
    trace::Schedule tried = carried.schedule;
    tried.add(run.kind, entry_of(last->trace, *thread, tried.threads),
              run.kind == StepKind::kRun ? kAsFarAsItGoes : 1);
    last = head.execute(tried);
    ++carried.executions;
    if (!last) break;
    names = head.names(last->trace);
    const RunInHead made(last->trace, names);
    const std::optional<uint32_t> same = made.thread_of(run);
    if (!same || !made.begins(run, *same, from)) break;
    if (run.kind != StepKind::kRun)
      carried.schedule = std::move(tried);
    else if (!made.add_run(run, *same, from, &carried.schedule))
      break;
    ++carried.followed;
  }
  if (!last) return tl::unexpected(last.error());
  return carried;
}

}  // namespace heddle
