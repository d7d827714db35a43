#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "report/event_facts.h"
#include "report/torn_accesses.h"
#include "trace/granule.h"

namespace heddle {
namespace {

using trace::EventKind;
using trace::EventRecord;

bool is_release(EventKind kind) {
  return kind == EventKind::kUnlock || kind == EventKind::kReadUnlock;
}

class BrokenCheckFinder {
 public:
  explicit BrokenCheckFinder(const trace::Trace& trace) : trace_(trace), events_(trace.events()) {}

  std::vector<TornAccess> run() {
    for (size_t i = window_begin(trace_); i < events_.size(); ++i) {
      const EventRecord& event = events_[i];
      ThreadState& thread = threads_[event.thread];
      const bool failed = (event.flags & trace::event_flag::kFailed) != 0;
      if (gives_way(event.kind)) ++thread.waits;
      if (is_acquire(event.kind) && !failed && thread.locks++ == 0) {
        thread.before = std::exchange(thread.now, Section{i, thread.waits});
      }
      if (is_release(event.kind) && thread.locks > 0) --thread.locks;
      if (is_access(event.kind) && event.object != 0) access(i, event, thread);
    }
    return std::move(found_);
  }

 private:
  using Key = std::pair<uint32_t, uint64_t>;  // object and granule

  // A critical section: from the first lock taken to the last one left.
  struct Section {
    size_t begin = 0;
    size_t waits = 0;  // of its thread, before it
    bool writes = false;
    bool is_told = false;
    std::map<Key, size_t> reads = {};
  };

  struct ThreadState {
    size_t locks = 0;  // that it holds
    size_t waits = 0;
    std::optional<Section> before;
    std::optional<Section> now;
  };

  void access(size_t index, const EventRecord& event, ThreadState& thread) {
    const Key key{event.object, event.offset / trace::kGranuleBytes};
    if (thread.locks > 0) {
      if (const auto written = last_write_.find(key); written != last_write_.end())
        compare(written->second, key, index, thread);
      if (is_write(event.kind)) {
        thread.now->writes = true;
      } else {
        thread.now->reads[key] = index;
      }
    }
    if (is_write(event.kind)) last_write_[key] = index;
  }

  // Whether the thread had looked, under the same lock, before what it uses now was written.
  void compare(size_t written, const Key& key, size_t now, ThreadState& thread) {
    if (!thread.before || thread.now->is_told || events_[written].thread == events_[now].thread) return;
    const Section& before = *thread.before;
    const EventRecord& first = events_[before.begin];
    const EventRecord& again = events_[thread.now->begin];
    if (written < before.begin || before.writes || before.waits != thread.waits) return;
    if (!range_of(first).overlaps(range_of(again))) return;
    // A loop that looks again at each round, at the same place, is no piece of work.
    if (first.site == again.site || !is_one_call(before.begin, now)) return;
    const auto read = before.reads.find(key);
    const uint64_t dropped = trace_.events_dropped();
    const size_t looked = read != before.reads.end() ? read->second : before.begin;
    found_.push_back({dropped + looked, dropped + written, dropped + now});
    thread.now->is_told = true;
  }

  // Whether the thread was in one call of a function from the first to the second event.
  bool is_one_call(size_t first, size_t second) const {
    uint32_t common = common_caller(events_[first].context, events_[second].context);
    for (size_t i = first + 1; i < second && common != 0; ++i) {
      if (events_[i].thread == events_[first].thread) common = common_caller(common, events_[i].context);
    }
    return common != 0 && common_caller(common, events_[second].context) == common;
  }

  // Callers have smaller numbers than what they call.
  uint32_t common_caller(uint32_t a, uint32_t b) const {
    const auto contexts = trace_.contexts();
    while (a != b && a < contexts.size() && b < contexts.size()) {
      uint32_t& deeper = a > b ? a : b;
      if (contexts[deeper].parent >= deeper) return 0;
      deeper = contexts[deeper].parent;
    }
    return a == b ? a : 0;
  }

  const trace::Trace& trace_;
  std::span<const EventRecord> events_;
  std::map<uint32_t, ThreadState> threads_;
  std::map<Key, size_t> last_write_;
  std::vector<TornAccess> found_;
};

}  // namespace

std::vector<TornAccess> find_broken_checks(const trace::Trace& trace) {
  std::vector<TornAccess> found = BrokenCheckFinder(trace).run();
  std::stable_sort(found.begin(), found.end(),
                   [](const TornAccess& a, const TornAccess& b) { return a.then > b.then; });
  return found;
}

}  // namespace heddle
