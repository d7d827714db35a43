#include "report/recorded_execution.h"

#include <algorithm>
#include <fstream>
#include <set>
#include <tuple>
#include <utility>

#include "detect/order_rules.h"
#include "report/event_facts.h"
#include "report/flow.h"
#include "report/text.h"

namespace heddle {
namespace {

using trace::EventKind;
using trace::EventRecord;
using ObjectPart = std::pair<uint32_t, uint64_t>;

constexpr size_t kMostSourceLines = 20'000;  // of a file; generated ones can be huge

// Finds which events let which others happen. Only the latest of several is kept: it knows what came before
// it on the same lock or atomic.
class OrderFinder {
 public:
  explicit OrderFinder(const trace::Trace& trace) : trace_(trace) {}

  // Of other threads, what comes before it; all are indices in the trace's events.
  std::vector<size_t> before(size_t index) {
    const EventRecord& event = trace_.events()[index];
    found_.clear();
    now_ = index;
    thread_ = event.thread;
    const ObjectPart location{event.object, event.offset};
    switch (event.kind) {
      case EventKind::kFork:
        forks_[event.peer] = index;
        break;
      case EventKind::kThreadBegin:
        add_from(forks_, event.thread);
        break;
      case EventKind::kThreadEnd:
        ends_[event.thread] = index;
        break;
      case EventKind::kJoin:
        add_from(ends_, event.peer);
        break;
      case EventKind::kNotifyOne:
      case EventKind::kNotifyAll:
      case EventKind::kFutexWake:
        notifies_[{location, event.thread}] = index;
        break;
      case EventKind::kCondWake:
      case EventKind::kFutexAwake:
        if (event.peer != 0) add_from(notifies_, std::pair(location, event.peer - 1));
        break;
      case EventKind::kAtomicRead:
      case EventKind::kAtomicWrite:
      case EventKind::kAtomicUpdate:
        detect::order_atomic(
            *this, location, event.kind != EventKind::kAtomicWrite,
            event.kind != EventKind::kAtomicRead && (event.flags & trace::event_flag::kFailed) == 0,
            static_cast<trace::MemoryOrder>(event.order));
        break;
      default:
        if (event.object != 0) detect::order_sync(*this, event.kind, event.flags, location);
        break;
    }
    return found_;
  }

  // What order_rules.h asks for. Fences carry no arrow: it would begin at the store before them.
  void acquire(const ObjectPart& channel) { add_from(releases_, channel); }
  void acquire_at_fence(const ObjectPart&) {}
  void acquire_readers(const ObjectPart& channel) { add_from(readers_, channel); }
  void release(const ObjectPart& channel, bool /*anew*/) { releases_[channel] = now_; }
  void release_fenced(const ObjectPart& channel, bool anew) {
    if (anew) releases_.erase(channel);
  }
  void release_readers(const ObjectPart& channel) { readers_[channel] = now_; }
  void forget(const ObjectPart& channel) {
    releases_.erase(channel);
    readers_.erase(channel);
  }

 private:
  template <typename Map, typename Key>
  void add_from(const Map& map, const Key& key) {
    const auto from = map.find(key);
    if (from != map.end() && trace_.events()[from->second].thread != thread_) found_.push_back(from->second);
  }

  const trace::Trace& trace_;
  size_t now_ = 0;
  uint32_t thread_ = 0;
  std::vector<size_t> found_;
  std::map<uint32_t, size_t> forks_;
  std::map<uint32_t, size_t> ends_;
  std::map<std::pair<ObjectPart, uint32_t>, size_t> notifies_;
  std::map<ObjectPart, size_t> releases_;
  std::map<ObjectPart, size_t> readers_;
};

std::vector<std::string> read_lines(const std::string& file) {
  std::vector<std::string> lines;
  std::ifstream input(file);
  for (std::string line; lines.size() < kMostSourceLines && std::getline(input, line);)
    lines.push_back(std::move(line));
  return lines;
}

class Recorder {
 public:
  Recorder(ReportContext& context, const FailureStory& story, const SourceScope& scope)
      : context_(context),
        trace_(context.trace()),
        story_(story),
        scope_(scope),
        key_events_(story.key_events.begin(), story.key_events.end()) {}

  RecordedExecution run(size_t most_events) {
    result_.places.emplace_back();
    result_.objects.emplace_back();
    result_.events_in_all = trace_.events_dropped() + trace_.events().size() + trace_.events_lost();
    for (uint32_t thread = 0; thread < trace_.threads().size(); ++thread) add_thread(thread);
    const size_t window = std::max(window_begin(trace_),
                                   trace_.events().size() - std::min(most_events, trace_.events().size()));
    OrderFinder orders(trace_);
    for (size_t i = window_begin(trace_); i < trace_.events().size(); ++i) {
      const bool is_kept = i >= window || key_events_.contains(trace_.events_dropped() + i);
      if (is_kept) add_event(i);
      for (const size_t before : orders.before(i)) {
        const auto from = kept_.find(before);
        if (is_kept && from != kept_.end())
          result_.orders.push_back({from->second, result_.events.size() - 1});
      }
    }
    for (auto& [lock, held] : open_) close(held, result_.events.size());
    std::sort(result_.held.begin(), result_.held.end(), [](const auto& a, const auto& b) {
      return std::tie(a.begin, a.thread) < std::tie(b.begin, b.thread);
    });
    return std::move(result_);
  }

 private:
  void add_thread(uint32_t thread) {
    RecordedExecution::Thread told{.name = trace_.thread_name(thread),
                                   .label = context_.thread(thread),
                                   .parent = std::nullopt,
                                   .takes_part = story_.has_thread(thread)};
    if (thread != 0) told.parent = trace_.threads()[thread].parent;
    result_.threads.push_back(std::move(told));
  }

  void add_event(size_t index) {
    const EventRecord& record = trace_.events()[index];
    const uint64_t number = trace_.events_dropped() + index;
    kept_[index] = result_.events.size();
    result_.events.push_back({.number = number,
                              .thread = record.thread,
                              .kind = record.kind,
                              .flags = record.flags,
                              .place = place(record),
                              .object = object(record),
                              .size = record.size,
                              .is_key = key_events_.contains(number),
                              .is_point = (record.flags & trace::event_flag::kPoint) != 0});
    follow_locks(record);
  }

  uint32_t place(const EventRecord& record) {
    if (record.site == 0) return 0;
    const auto [entry, is_new] = places_.try_emplace({record.site, record.context});
    if (!is_new) return entry->second;
    const SourceLine line = source_line(context_, {record.site, record.context}, scope_);
    const auto [known, is_first] =
        lines_.try_emplace({line.file, line.line, line.column, line.function}, result_.places.size());
    entry->second = known->second;
    if (!is_first) return entry->second;
    if (line.is_user_code && !line.text.empty() && !result_.sources.contains(line.file)) {
      const Frame& frame = context_.symbols.line_of_interest(record.site, record.context);
      result_.sources[line.file] = read_lines(frame.file);
    }
    result_.places.push_back(line);
    return entry->second;
  }

  uint32_t object(const EventRecord& record) {
    if (record.object == 0) return 0;
    const auto [entry, is_new] = objects_.try_emplace({record.object, record.offset});
    if (!is_new) return entry->second;
    entry->second = static_cast<uint32_t>(result_.objects.size());
    std::string name = context_.symbols.variable_name(record.object, record.offset);
    if (name.empty()) name = context_.symbols.location_label(record.object, record.offset);
    const LocationRange range = range_of(record);
    const bool of_failure =
        std::any_of(story_.locations.begin(), story_.locations.end(),
                    [&](const LocationRange& location) { return location.overlaps(range); });
    result_.objects.push_back({.name = printable(name), .of_failure = of_failure});
    return entry->second;
  }

  void follow_locks(const EventRecord& record) {
    constexpr uint16_t kNoChange =
        trace::event_flag::kFailed | trace::event_flag::kTimedOut | trace::event_flag::kRecursive;
    if (record.object == 0 || (record.flags & kNoChange) != 0) return;
    const size_t index = result_.events.size() - 1;
    const auto lock = std::tuple(record.thread, record.object, record.offset);
    if (is_acquire(record.kind)) {
      const bool shared = record.kind == EventKind::kReadLock || record.kind == EventKind::kTryReadLock;
      open_[lock] = {.thread = record.thread,
                     .object = result_.events.back().object,
                     .begin = index,
                     .end = 0,
                     .is_exclusive = !shared};
    } else if (record.kind == EventKind::kUnlock || record.kind == EventKind::kReadUnlock) {
      if (auto held = open_.find(lock); held != open_.end()) {
        close(held->second, index);
        open_.erase(held);
      }
    }
  }

  void close(RecordedExecution::Held held, size_t end) {
    held.end = end;
    result_.held.push_back(held);
  }

  ReportContext& context_;
  const trace::Trace& trace_;
  const FailureStory& story_;
  const SourceScope& scope_;
  const std::set<uint64_t> key_events_;
  RecordedExecution result_;
  std::map<size_t, size_t> kept_;  // index in the trace → index in the result
  std::map<std::pair<uint32_t, uint32_t>, uint32_t> places_;
  std::map<std::tuple<std::string, uint32_t, uint32_t, std::string>, uint32_t> lines_;
  std::map<ObjectPart, uint32_t> objects_;
  std::map<std::tuple<uint32_t, uint32_t, uint64_t>, RecordedExecution::Held> open_;
};

}  // namespace

RecordedExecution record_execution(ReportContext& context, const FailureStory& story,
                                   const SourceScope& scope, size_t most_events) {
  return Recorder(context, story, scope).run(most_events);
}

std::string_view verb(const RecordedExecution::Event& event) {
  EventRecord record{};
  record.kind = event.kind;
  record.flags = event.flags;
  record.size = event.size;
  return verb(record);
}

}  // namespace heddle
