#include "report/torn_accesses.h"

#include <algorithm>
#include <map>
#include <optional>

#include "report/event_facts.h"

namespace heddle {
namespace {

using trace::EventKind;
using trace::EventRecord;

bool is_plain_read(EventKind kind) {
  return kind == EventKind::kRead || kind == EventKind::kAtomicRead;
}

// A read-modify-write sees the value it replaces, so nothing is lost in it.
bool is_plain_write(EventKind kind) {
  return kind == EventKind::kWrite || kind == EventKind::kAtomicWrite;
}

// What one thread read, and who has written since.
struct OpenRead {
  uint64_t read = 0;
  std::optional<uint64_t> written_between;
  bool gave_way = false;  // its thread has waited since
};

class TornAccessFinder {
 public:
  TornAccessFinder(const LocationRange& location, uint32_t failed_thread)
      : location_(location), failed_thread_(failed_thread) {}

  void visit(uint64_t number, const EventRecord& event) {
    if (gives_way(event.kind)) {
      if (const auto waiting = open_.find(event.thread); waiting != open_.end())
        waiting->second.gave_way = true;
    }
    if (!is_access(event.kind) || !range_of(event).overlaps(location_)) return;
    auto open = open_.find(event.thread);
    if (open != open_.end() && open->second.written_between) {
      TornAccess torn{open->second.read, *open->second.written_between, number};
      if (is_plain_write(event.kind)) found.push_back(torn);
      if (is_plain_read(event.kind) && event.thread == failed_thread_ && !open->second.gave_way)
        last_of_failed_ = torn;
    }
    if (is_write(event.kind)) {
      for (auto& [thread, read] : open_) {
        if (thread != event.thread) read.written_between = number;
      }
    }
    open_.erase(event.thread);
    if (is_plain_read(event.kind)) open_[event.thread] = {.read = number};
  }

  void finish() {
    if (last_of_failed_) found.push_back(*last_of_failed_);
  }

  std::vector<TornAccess> found;

 private:
  LocationRange location_;
  uint32_t failed_thread_;
  std::map<uint32_t, OpenRead> open_;
  std::optional<TornAccess> last_of_failed_;
};

}  // namespace

std::vector<TornAccess> find_torn_accesses(const trace::Trace& trace,
                                           const std::vector<LocationRange>& locations,
                                           uint32_t failed_thread, size_t limit) {
  std::vector<TornAccess> all;
  for (const LocationRange& location : locations) {
    TornAccessFinder finder(location, failed_thread);
    for (size_t i = window_begin(trace); i < trace.events().size(); ++i) {
      finder.visit(trace.events_dropped() + i, trace.events()[i]);
    }
    finder.finish();
    all.insert(all.end(), finder.found.begin(), finder.found.end());
  }
  std::sort(all.begin(), all.end(), [](const TornAccess& a, const TornAccess& b) { return a.then > b.then; });
  if (all.size() > limit) all.resize(limit);
  return all;
}

}  // namespace heddle
