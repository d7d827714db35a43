#include "report/interleaving.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include <fmt/format.h>

#include "report/event_facts.h"
#include "report/text.h"

namespace heddle {
namespace {

using trace::EventKind;
using trace::EventRecord;

// How much a step says about the failure; lower is more. Steps are kept in this order, later ones first.
enum class Weight { kKey, kOnFailureObject, kSwitchNearFailureObject, kSwitch, kOther };

struct WeighedStep {
  InterleavingStep step;
  Weight weight = Weight::kOther;
  bool on_failure_object = false;
  bool is_bulk = false;  // never shown, only counted
  bool kept = false;
};

// So few are shown as they are; of more than these, only what helps.
constexpr size_t kFewRows = 20;

// The last two rounds of a loop show what it does; more of them would push out everything else.
constexpr size_t kMaxRepetitions = 2;

// A loop on one line can do thousands of operations: a few say what it does.
constexpr size_t kMaxWordsLength = 80;

void add_word(std::string& list, std::string_view word) {
  if (list.size() > kMaxWordsLength ||
      (", " + list + ",").find(fmt::format(" {},", word)) != std::string::npos) {
    return;
  }
  if (!list.empty()) list += ", ";
  list += word;
}

class Selector {
 public:
  Selector(ReportContext& context, const FailureStory& story, const InterleavingLimits& limits)
      : context_(context),
        story_(story),
        limits_(limits),
        key_events_(story.key_events.begin(), story.key_events.end()) {}

  Interleaving run() {
    collect_steps();
    choose_threads();
    weigh_steps();
    keep_steps();
    emit_rows();
    return std::move(result_);
  }

 private:
  void collect_steps() {
    const trace::Trace& trace = context_.trace();
    const size_t begin = window_begin(trace);
    size_t counted = 0;  // events before this are steps already
    for (const uint64_t number : key_events_) {
      if (number < trace.events_dropped() || number - trace.events_dropped() >= begin) continue;
      const size_t key = number - trace.events_dropped();
      add_bulk(counted, key);
      add_event(number, trace.events()[key]);
      counted = key + 1;
    }
    add_bulk(counted, std::min(begin, trace.events().size()));
    for (size_t i = begin; i < trace.events().size(); ++i)
      add_event(trace.events_dropped() + i, trace.events()[i]);
  }

  // Stands for events before the window that are only counted.
  void add_bulk(size_t begin, size_t end) {
    if (begin >= end) return;
    for (const auto& [thread, events] : context_.events_between(begin, end)) {
      WeighedStep step;
      step.is_bulk = true;
      step.step.thread = thread;
      step.step.events = events;
      steps_.push_back(std::move(step));
    }
  }

  void add_event(uint64_t number, const EventRecord& event) {
    if (!is_step(number, event)) return;
    if (!continues_step(event)) {
      steps_.push_back({});
      steps_.back().step.event = number;
      steps_.back().step.thread = event.thread;
      steps_.back().step.place = {event.site, event.context};
    }
    WeighedStep& last = steps_.back();
    last.step.events++;
    add_word(last.step.description, description(event));
    if (key_events_.contains(number)) last.weight = Weight::kKey;
    if (key_events_.contains(number) || touches_failure(event)) {
      last.on_failure_object = true;
      add_word(last.step.operations, verb(event));
    }
  }

  // What libraries do for themselves is no step of the program, unless other threads can notice it.
  bool is_step(uint64_t number, const EventRecord& event) {
    if (event.kind == EventKind::kThreadBegin || event.kind == EventKind::kThreadEnd) return false;
    if (key_events_.contains(number) || is_synchronisation(event.kind)) return true;
    return event.site != 0 && context_.symbols.is_in_user_code(event.site, event.context);
  }

  bool continues_step(const EventRecord& event) {
    if (steps_.empty() || steps_.back().is_bulk || steps_.back().step.thread != event.thread) return false;
    const Place& place = steps_.back().step.place;
    const Frame& before = context_.symbols.line_of_interest(place.site, place.context);
    const Frame& now = context_.symbols.line_of_interest(event.site, event.context);
    return before.file == now.file && before.line == now.line && before.function == now.function;
  }

  bool touches_failure(const EventRecord& event) const {
    if (event.object == 0) return false;
    LocationRange range = range_of(event);
    return std::any_of(story_.locations.begin(), story_.locations.end(),
                       [&](const LocationRange& location) { return location.overlaps(range); });
  }

  std::string description(const EventRecord& event) const {
    std::string text(verb(event));
    if (event.kind == EventKind::kFork || event.kind == EventKind::kJoin) {
      return fmt::format("{} {}", text, context_.trace().thread_name(event.peer));
    }
    if (event.object != 0) text += " " + context_.symbols.location_label(event.object, event.offset);
    return text;
  }

  // The threads of the story first, then those whose writes led to it, then those that used its objects, then
  // those that ran last.
  void choose_threads() {
    std::vector<uint32_t> order = story_.threads;
    const auto has = [](const std::vector<uint32_t>& threads, uint32_t thread) {
      return std::find(threads.begin(), threads.end(), thread) != threads.end();
    };
    auto append = [&](uint32_t thread) {
      if (!has(order, thread) && !has(story_.bystanders, thread)) order.push_back(thread);
    };
    for (const uint32_t thread : story_.causes) append(thread);
    for (auto step = steps_.rbegin(); step != steps_.rend(); ++step) {
      if (step->on_failure_object) append(step->step.thread);
    }
    size_t involved = order.size();
    for (auto step = steps_.rbegin(); step != steps_.rend(); ++step) append(step->step.thread);
    for (const auto& [thread, end] : story_.ends) append(thread);
    // Bystanders are shown only where there is room for all of them.
    size_t columns = order.size() <= limits_.threads ? order.size() : std::min(involved, limits_.threads);
    result_.threads.assign(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(columns));
    result_.hidden_threads.assign(order.begin() + static_cast<std::ptrdiff_t>(columns), order.end());
    std::sort(result_.threads.begin(), result_.threads.end());
    std::sort(result_.hidden_threads.begin(), result_.hidden_threads.end());
    std::erase_if(steps_, [&](const WeighedStep& step) { return !is_shown(step.step.thread); });
  }

  bool is_shown(uint32_t thread) const {
    return std::find(result_.threads.begin(), result_.threads.end(), thread) != result_.threads.end();
  }

  void weigh_steps() {
    std::set<uint32_t> seen;
    for (size_t i = steps_.size(); i > 0; --i) {
      WeighedStep& step = steps_[i - 1];
      if (step.is_bulk) continue;
      bool is_last_of_thread = seen.insert(step.step.thread).second;
      step.weight = std::min({step.weight, is_last_of_thread ? Weight::kKey : Weight::kOther,
                              step.on_failure_object ? Weight::kOnFailureObject : Weight::kOther});
    }
    for (size_t i = 1; i < steps_.size(); ++i) {
      WeighedStep& before = steps_[i - 1];
      WeighedStep& after = steps_[i];
      if (before.step.thread == after.step.thread || before.is_bulk || after.is_bulk) continue;
      bool is_near = before.on_failure_object || after.on_failure_object;
      Weight weight = is_near ? Weight::kSwitchNearFailureObject : Weight::kSwitch;
      before.weight = std::min(before.weight, weight);
      after.weight = std::min(after.weight, weight);
    }
  }

  void keep_steps() {
    if (steps_.size() <= std::min(kFewRows, limits_.rows)) {
      for (WeighedStep& step : steps_) step.kept = !step.is_bulk;
      return;
    }
    std::vector<size_t> order(steps_.size());
    std::iota(order.begin(), order.end(), size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) {
      if (steps_[a].weight != steps_[b].weight) return steps_[a].weight < steps_[b].weight;
      return a > b;
    });
    size_t rows = 0;
    std::map<std::pair<uint32_t, std::string>, size_t> shown;  // how often each line of each thread is
    for (size_t index : order) {
      WeighedStep& step = steps_[index];
      if (step.weight == Weight::kOther) break;
      size_t& times = shown[{step.step.thread, line_of(step.step)}];
      if (step.weight != Weight::kKey && times >= kMaxRepetitions) continue;
      size_t cost = rows_added_by(index);
      if (rows + cost > limits_.rows) break;
      step.kept = true;
      rows += cost;
      ++times;
    }
  }

  std::string line_of(const InterleavingStep& step) {
    const Frame& frame = context_.symbols.line_of_interest(step.place.site, step.place.context);
    return fmt::format("{}:{}:{}", frame.file, frame.line, frame.function);
  }

  // A kept step takes a row of its own, and one for the gap before it if it stands alone. This counts a gap
  // that a later choice closes, so the limit holds.
  size_t rows_added_by(size_t index) const {
    bool joins_before = index > 0 && steps_[index - 1].kept;
    bool joins_after = index + 1 < steps_.size() && steps_[index + 1].kept;
    return joins_before || joins_after ? 1 : 2;
  }

  void emit_rows() {
    size_t i = 0;
    while (i < steps_.size()) {
      size_t end = i;
      while (end < steps_.size() && !steps_[end].kept) ++end;
      if (end - i > 1 || steps_[i].is_bulk) {
        result_.rows.push_back(gap_row(i, end));
        i = end;
      } else {
        // A gap of one step takes as much room as the step itself.
        result_.rows.push_back({std::move(steps_[i].step), {}});
        ++i;
      }
    }
  }

  InterleavingRow gap_row(size_t begin, size_t end) const {
    std::map<uint32_t, size_t> events;
    for (size_t i = begin; i < end; ++i) events[steps_[i].step.thread] += steps_[i].step.events;
    InterleavingRow row;
    for (const auto& [thread, count] : events) row.gap.push_back({thread, count});
    return row;
  }

  ReportContext& context_;
  const FailureStory& story_;
  const InterleavingLimits& limits_;
  std::set<uint64_t> key_events_;
  std::vector<WeighedStep> steps_;
  Interleaving result_;
};

}  // namespace

Interleaving select_interleaving(ReportContext& context, const FailureStory& story,
                                 const InterleavingLimits& limits) {
  return Selector(context, story, limits).run();
}

}  // namespace heddle
