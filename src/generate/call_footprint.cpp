#include "generate/call_footprint.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "generate/keys.h"
#include "trace/dependence.h"

namespace heddle::generate {
namespace {

using trace::EventKind;
using trace::EventRecord;

// A call that accesses more is a loop over much data; what comes later is mostly more of the same.
constexpr size_t kMostAccesses = 4000;
// Heap objects up to this size have fields; larger ones are mostly arrays, whose elements are alike.
constexpr uint64_t kLargestStructure = 512;

bool is_failed(const EventRecord& event) {
  return (event.flags & trace::event_flag::kFailed) != 0;
}

class LastCall {
 public:
  LastCall(const trace::Trace& trace, CallLocator& locator)
      : trace_(trace), locator_(locator), inside_(trace.contexts().size(), kUnknown) {}

  CallFootprint read() {
    const uint64_t begin = find_begin();
    for (uint64_t i = 0; i < trace_.events().size(); ++i) {
      const EventRecord& event = trace_.events()[i];
      const bool counts = i >= begin && is_inside(event.context);
      follow_locks(event, counts);
      if (counts) look_at(event);
    }
    for (auto* keys : {&result_.waits, &result_.wakes}) {
      std::sort(keys->begin(), keys->end());
      keys->erase(std::unique(keys->begin(), keys->end()), keys->end());
    }
    std::sort(result_.nested.begin(), result_.nested.end());
    result_.nested.erase(std::unique(result_.nested.begin(), result_.nested.end()), result_.nested.end());
    return std::move(result_);
  }

 private:
  enum : int8_t { kUnknown = -1, kOutside = 0, kInside = 1 };

  uint64_t find_begin() const {
    int64_t last = -1;
    uint64_t begin = 0;
    for (uint64_t i = 0; i < trace_.events().size(); ++i) {
      const int64_t call = locator_.marked_call(trace_, trace_.events()[i]);
      if (call <= last) continue;
      last = call;
      begin = i + 1;
    }
    return begin;
  }

  // Whether a context is that of an operation.
  bool is_inside(uint32_t context) {
    if (context == 0) return false;
    if (inside_[context] == kUnknown) {
      const trace::ContextRecord& record = trace_.contexts()[context];
      const bool inside = locator_.is_operation(trace_, record.call_site) || is_inside(record.parent);
      inside_[context] = inside ? kInside : kOutside;
    }
    return inside_[context] == kInside;
  }

  // The site, and the calls that led there from the method on.
  uint64_t place_of(const EventRecord& event) {
    uint64_t key = locator_.site_key(trace_, event.site);
    for (uint32_t context = event.context; context != 0; context = trace_.contexts()[context].parent) {
      const uint32_t call = trace_.contexts()[context].call_site;
      if (locator_.is_operation(trace_, call)) break;
      key = mix(key, locator_.site_key(trace_, call));
    }
    return key;
  }

  uint64_t object_key(uint32_t object) {
    const trace::ObjectRecord& record = trace_.objects()[object];
    uint64_t key = mix(0, static_cast<uint64_t>(record.kind));
    switch (record.kind) {
      case trace::ObjectKind::kHeap:
        return mix(mix(key, record.size), locator_.site_key(trace_, record.site));
      case trace::ObjectKind::kDescriptor:
      case trace::ObjectKind::kAtomicSet:
        return mix(key, record.identity);
      default:
        return mix(key, record.owner);
    }
  }

  uint64_t location_key(const EventRecord& event) {
    if (event.object == 0) return mix(1, event.offset);
    const trace::ObjectRecord& record = trace_.objects()[event.object];
    const bool is_array = record.kind == trace::ObjectKind::kHeap && record.size > kLargestStructure;
    return mix(object_key(event.object), is_array ? 0 : event.offset);
  }

  // Locks of a kind are told apart by where they are, also within arrays.
  uint64_t lock_key(const EventRecord& event) { return mix(object_key(event.object), event.offset); }

  void acquire(const EventRecord& event, bool shared, bool counts) {
    const uint64_t key = lock_key(event);
    if (counts) {
      ++sections_;
      for (const HeldLock& outer : held_) {
        if (outer.lock == key) continue;
        NestedLock nested{.outer = outer.lock, .inner = key, .place = place_of(event), .gates = {}};
        for (const HeldLock& gate : held_)
          if (gate.lock != outer.lock && !gate.shared) nested.gates.push_back(gate.lock);
        result_.nested.push_back(std::move(nested));
      }
    }
    const HeldLock lock{key, counts ? sections_ : 0, shared};
    held_.insert(std::upper_bound(held_.begin(), held_.end(), lock), lock);
  }

  void release(const EventRecord& event) {
    const uint64_t key = lock_key(event);
    const auto at =
        std::find_if(held_.begin(), held_.end(), [&](const HeldLock& lock) { return lock.lock == key; });
    if (at != held_.end()) held_.erase(at);
  }

  void follow_locks(const EventRecord& event, bool counts) {
    if ((event.flags & trace::event_flag::kRecursive) != 0 || is_failed(event)) return;
    switch (event.kind) {
      case EventKind::kLock:
      case EventKind::kTryLock:
        return acquire(event, /*shared=*/false, counts);
      case EventKind::kReadLock:
      case EventKind::kTryReadLock:
        return acquire(event, /*shared=*/true, counts);
      case EventKind::kUnlock:
      case EventKind::kReadUnlock:
        return release(event);
      default:
        return;
    }
  }

  void look_at(const EventRecord& event) {
    switch (event.kind) {
      case EventKind::kRead:
      case EventKind::kAtomicRead:
        return add_access(event, /*writes=*/false, event.kind == EventKind::kAtomicRead);
      case EventKind::kWrite:
      case EventKind::kAtomicWrite:
      case EventKind::kAtomicUpdate:
        return add_access(event, /*writes=*/true, event.kind != EventKind::kWrite);
      case EventKind::kFree:
        return add_access(event, /*writes=*/true, /*atomic=*/false);
      case EventKind::kCondWait:
      case EventKind::kFutexWait:
      case EventKind::kSemWait:
      case EventKind::kBarrierArrive:
        result_.waits.push_back(lock_key(event));
        return;
      case EventKind::kNotifyOne:
      case EventKind::kNotifyAll:
      case EventKind::kFutexWake:
      case EventKind::kSemPost:
        result_.wakes.push_back(lock_key(event));
        return;
      default:
        return;
    }
  }

  void add_access(const EventRecord& event, bool writes, bool atomic) {
    // The stack of the only thread that runs is its own.
    if (event.object != 0 && trace_.objects()[event.object].kind == trace::ObjectKind::kStack) return;
    if (result_.accesses.size() >= kMostAccesses) return;
    CallAccess access{.place = place_of(event),
                      .location = location_key(event),
                      .writes = writes,
                      .atomic = atomic,
                      .held = held_};
    if (seen_.insert(access).second) result_.accesses.push_back(std::move(access));
  }

  const trace::Trace& trace_;
  CallLocator& locator_;
  std::vector<int8_t> inside_;  // by context
  std::vector<HeldLock> held_;  // sorted
  uint32_t sections_ = 0;
  std::set<CallAccess> seen_;
  CallFootprint result_;
};

uint64_t coverage_of(const CallAccess& access) {
  uint64_t key = mix(mix(access.place, access.location), access.writes ? 2 : 1);
  for (const HeldLock& lock : access.held) key = mix(mix(key, lock.lock), lock.shared ? 2 : 1);
  return key;
}

}  // namespace

CallFootprint read_last_call(const trace::Trace& trace, CallLocator& locator) {
  return LastCall(trace, locator).read();
}

std::vector<uint64_t> CallFootprint::coverage() const {
  std::vector<uint64_t> keys;
  for (const CallAccess& access : accesses) keys.push_back(coverage_of(access));
  for (const NestedLock& pair : nested) keys.push_back(mix(mix(mix(3, pair.outer), pair.inner), pair.place));
  for (const uint64_t key : waits) keys.push_back(mix(4, key));
  for (const uint64_t key : wakes) keys.push_back(mix(5, key));
  std::sort(keys.begin(), keys.end());
  keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
  return keys;
}

uint64_t CallFootprint::signature() const {
  uint64_t key = 0;
  for (const uint64_t part : coverage()) key = mix(key, part);
  return key;
}

}  // namespace heddle::generate
