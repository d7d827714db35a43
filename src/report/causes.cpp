#include "report/causes.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "report/event_facts.h"
#include "trace/granule.h"

namespace heddle {
namespace {

using trace::EventKind;
using trace::EventRecord;

// A step depends on what its thread read last, not on all that it ever read. Copying an object out of a queue
// takes some hundred reads.
constexpr size_t kReadsBefore = 256;
// A block operation is looked up at so many places at most.
constexpr uint64_t kMaxGranules = 64;

bool reads_memory(const EventRecord& event) {
  return is_access(event.kind) && event.kind != EventKind::kWrite && event.kind != EventKind::kAtomicWrite;
}

bool begins_section(const EventRecord& event) {
  return (is_acquire(event.kind) && (event.flags & trace::event_flag::kFailed) == 0) ||
         event.kind == EventKind::kCondWake || event.kind == EventKind::kThreadBegin;
}

}  // namespace

Causes::Causes(const trace::Trace& trace) : trace_(trace), begin_(window_begin(trace)) {
  const std::span<const EventRecord> events = trace.events();
  std::map<std::pair<uint32_t, uint64_t>, size_t> last_write;  // by object and granule
  std::map<uint32_t, size_t> last_of_thread;
  for (size_t i = begin_; i < events.size(); ++i) {
    const EventRecord& event = events[i];
    previous_.push_back(std::exchange(last_of_thread[event.thread], i + 1));
    writers_.push_back(0);
    if (!is_access(event.kind) || event.object == 0) continue;
    const LocationRange range = range_of(event);
    const uint64_t first = range.offset / trace::kGranuleBytes;
    const uint64_t last =
        std::min((range.offset + range.size - 1) / trace::kGranuleBytes, first + kMaxGranules);
    for (uint64_t granule = first; granule <= last; ++granule) {
      size_t& written = last_write[{event.object, granule}];
      const bool saw = written != 0 && reads_memory(event) && range_of(events[written - 1]).overlaps(range);
      if (saw) writers_.back() = std::max(writers_.back(), written);
      if (is_write(event.kind)) written = i + 1;
    }
  }
}

std::vector<Cause> Causes::of(size_t event) const {
  return look_back(event, /*within_section=*/false);
}

std::vector<Cause> Causes::of_section(size_t event) const {
  return look_back(event, /*within_section=*/true);
}

std::vector<Cause> Causes::look_back(size_t event, bool within_section) const {
  const std::span<const EventRecord> events = trace_.events();
  std::vector<Cause> causes;
  size_t looked_at = 0;
  for (size_t i = event + 1; i > begin_ && looked_at < kReadsBefore; i = previous_[i - 1 - begin_]) {
    const EventRecord& now = events[i - 1];
    if (within_section && begins_section(now)) break;
    if (!reads_memory(now)) continue;
    ++looked_at;
    const size_t writer = writers_[i - 1 - begin_];
    if (writer == 0 || events[writer - 1].thread == now.thread) continue;
    const auto known = std::find_if(causes.begin(), causes.end(), [&](const Cause& cause) {
      return events[cause.write].thread == events[writer - 1].thread;
    });
    if (known == causes.end()) {
      causes.push_back({i - 1, writer - 1});
    } else if (known->write == writer - 1) {
      known->read = i - 1;  // where it first saw it
    }
  }
  return causes;
}

std::vector<Cause> Causes::of_end(uint32_t thread) const {
  const std::span<const EventRecord> events = trace_.events();
  std::optional<size_t> last;
  for (size_t i = events.size(); i > begin_ && !last; --i) {
    if (events[i - 1].thread == thread) last = i - 1;
  }
  std::vector<Cause> found;
  if (!last) return found;
  std::vector<size_t> steps = {*last};
  for (size_t next = 0; next < steps.size(); ++next) {
    for (const Cause& cause : of(steps[next])) {
      const uint32_t writer = events[cause.write].thread;
      const bool is_known =
          std::any_of(steps.begin(), steps.end(), [&](size_t step) { return events[step].thread == writer; });
      if (is_known) continue;
      found.push_back(cause);
      steps.push_back(cause.write);
    }
  }
  return found;
}

}  // namespace heddle
