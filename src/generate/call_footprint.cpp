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

void sort_each_once(std::vector<uint64_t>* keys) {
  std::sort(keys->begin(), keys->end());
  keys->erase(std::unique(keys->begin(), keys->end()), keys->end());
}

class LastCall {
 public:
  LastCall(const trace::Trace& trace, CallLocator& locator)
      : trace_(trace), locator_(locator), inside_(trace.contexts().size(), kUnknown) {}

  CallFootprint read() {
    begin_ = find_begin();
    for (uint64_t i = 0; i < trace_.events().size(); ++i) {
      const EventRecord& event = trace_.events()[i];
      if (event.kind == EventKind::kAlloc && event.object != 0) allocated_[event.object] = i;
      const bool counts = i >= begin_ && is_inside(event.context);
      follow_locks(event, counts);
      if (counts) look_at(event);
    }
    for (auto* keys : {&result_.waits, &result_.wakes, &result_.coverage}) sort_each_once(keys);
    std::sort(result_.nested.begin(), result_.nested.end());
    result_.nested.erase(std::unique(result_.nested.begin(), result_.nested.end()), result_.nested.end());
    return std::move(result_);
  }

 private:
  enum : int8_t { kUnknown = -1, kOutside = 0, kInside = 1 };

  // Where an access was made: exactly, and by which code of the class; 0 if that is none.
  struct Place {
    uint64_t exact = 0;
    uint64_t code = 0;
    bool is_driver = false;
  };
  // What was accessed: the byte, and what it is of the class.
  struct Field {
    uint64_t key = 0;
    ObjectPart::Of of = ObjectPart::Of::kNeither;
  };
  static constexpr Field kOfLibrary{1, ObjectPart::Of::kNeither};
  struct Held {
    HeldLock lock;
    Field field;
  };

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

  // The site, and the calls that led there from the method on. The method's own frames may be part of the
  // operation's function.
  Place place_of(const EventRecord& event) {
    Place place;
    bool is_of_caller = false;
    const auto add_code = [&](const SiteKeys& keys) {
      if (keys.code != 0) place.code = mix(place.code, keys.code);
      place.is_driver = place.is_driver || (keys.is_driver && !is_of_caller);
      is_of_caller = is_of_caller || keys.is_of_caller;
    };
    const SiteKeys innermost = locator_.keys(trace_, event.site);
    place.exact = innermost.exact;
    add_code(innermost);
    for (uint32_t context = event.context; context != 0; context = trace_.contexts()[context].parent) {
      const uint32_t call = trace_.contexts()[context].call_site;
      const SiteKeys keys = locator_.keys(trace_, call);
      add_code(keys);
      if (locator_.is_operation(trace_, call)) break;
      place.exact = mix(place.exact, keys.exact);
    }
    return place;
  }

  uint64_t object_key(uint32_t object) {
    const trace::ObjectRecord& record = trace_.objects()[object];
    uint64_t key = mix(0, static_cast<uint64_t>(record.kind));
    switch (record.kind) {
      case trace::ObjectKind::kHeap:
        return mix(mix(key, record.size), locator_.keys(trace_, record.site).exact);
      case trace::ObjectKind::kDescriptor:
      case trace::ObjectKind::kAtomicSet:
        return mix(key, record.identity);
      default:
        return mix(key, record.owner);
    }
  }

  // All globals are one object of the trace.
  uint64_t object_under(const EventRecord& event) {
    if (event.object == 0) return 1;
    return mix(object_key(event.object), static_cast<uint64_t>(locator_.part_of_object(trace_, event).of));
  }

  // Elements of arrays are alike.
  uint64_t offset_of(const EventRecord& event) {
    const trace::ObjectRecord& record = trace_.objects()[event.object];
    const bool is_array =
        event.object != 0 && record.kind == trace::ObjectKind::kHeap && record.size > kLargestStructure;
    return is_array ? 0 : event.offset;
  }

  uint64_t location_key(const EventRecord& event) { return mix(object_under(event), offset_of(event)); }

  // Locks of a kind are told apart by where they are, also within arrays.
  uint64_t lock_key(const EventRecord& event) { return mix(object_key(event.object), event.offset); }

  // The innermost line of the program that led to the allocation; 0 if the driver allocated it.
  uint64_t allocating_code(const trace::ObjectRecord& record) {
    uint64_t code = locator_.keys(trace_, record.site).innermost;
    for (uint32_t context = record.context; context != 0 && code == 0;
         context = trace_.contexts()[context].parent)
      code = locator_.keys(trace_, trace_.contexts()[context].call_site).innermost;
    return code;
  }

  bool is_heap(uint32_t object) const {
    return object != 0 && trace_.objects()[object].kind == trace::ObjectKind::kHeap;
  }

  bool allocated_in_call(uint32_t object) const {
    const auto at = allocated_.find(object);
    return at != allocated_.end() && at->second >= begin_;
  }

  // What is accessed, as the class sees it. A library's memory is one field, however much it is.
  Field field_of(const EventRecord& event) {
    if (event.object == 0) return {location_key(event), ObjectPart::Of::kNeither};
    const trace::ObjectRecord& record = trace_.objects()[event.object];
    if (record.kind == trace::ObjectKind::kHeap) {
      const uint64_t code = allocating_code(record);
      if (code == 0 || locator_.keys(trace_, record.site).is_in_library) return kOfLibrary;
      return {mix(mix(2, code), record.size > kLargestStructure ? 0 : event.offset),
              ObjectPart::Of::kNeither};
    }
    const ObjectPart part = locator_.part_of_object(trace_, event);
    if (part.of == ObjectPart::Of::kNeither) return {location_key(event), part.of};
    return {mix(3, part.offset), part.of};
  }

  Field lock_field(const EventRecord& event) {
    Field field = field_of(event);
    if (field.key == kOfLibrary.key) field.key = mix(4, event.offset);
    return field;
  }

  // Whether two fields that are of objects under test are of the same one.
  static uint64_t relation(const Field& one, const Field& other) {
    if (one.of == ObjectPart::Of::kNeither || other.of == ObjectPart::Of::kNeither) return 0;
    return one.of == other.of ? 1 : 2;
  }

  void acquire(const EventRecord& event, bool shared, bool counts) {
    const uint64_t key = lock_key(event);
    const Field field = lock_field(event);
    if (counts) {
      ++sections_;
      const Place place = place_of(event);
      for (const Held& outer : held_) {
        if (outer.lock.lock == key) continue;
        NestedLock nested{.outer = outer.lock.lock, .inner = key, .place = place.exact, .gates = {}};
        for (const Held& gate : held_)
          if (gate.lock.lock != outer.lock.lock && !gate.lock.shared) nested.gates.push_back(gate.lock.lock);
        result_.nested.push_back(std::move(nested));
        result_.coverage.push_back(
            mix(mix(mix(mix(3, outer.field.key), field.key), relation(outer.field, field)), place.code));
      }
    }
    Held held{.lock = {key, counts ? sections_ : 0, shared}, .field = field};
    held_.insert(std::upper_bound(held_.begin(), held_.end(), held,
                                  [](const Held& one, const Held& other) { return one.lock < other.lock; }),
                 std::move(held));
  }

  void release(const EventRecord& event) {
    const uint64_t key = lock_key(event);
    const auto at =
        std::find_if(held_.begin(), held_.end(), [&](const Held& held) { return held.lock.lock == key; });
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
        result_.coverage.push_back(mix(4, lock_field(event).key));
        return;
      case EventKind::kNotifyOne:
      case EventKind::kNotifyAll:
      case EventKind::kFutexWake:
      case EventKind::kSemPost:
        result_.wakes.push_back(lock_key(event));
        result_.coverage.push_back(mix(5, lock_field(event).key));
        return;
      default:
        return;
    }
  }

  void add_access(const EventRecord& event, bool writes, bool atomic) {
    // The stack of the only thread that runs is its own.
    if (event.object != 0 && trace_.objects()[event.object].kind == trace::ObjectKind::kStack) return;
    if (result_.accesses.size() >= kMostAccesses) return;
    const Place place = place_of(event);
    CallAccess access{.place = place.exact,
                      .site = locator_.keys(trace_, event.site).exact,
                      .object = object_under(event),
                      .offset = offset_of(event),
                      .size = std::max<uint64_t>(event.size, 1),
                      .location = location_key(event),
                      .writes = writes,
                      .atomic = atomic,
                      .held = {}};
    for (const Held& held : held_) access.held.push_back(held.lock);
    if (!seen_.insert(access).second) return;
    cover(event, place, writes, atomic);
    result_.accesses.push_back(std::move(access));
  }

  void cover(const EventRecord& event, const Place& place, bool writes, bool atomic) {
    if (place.is_driver || place.code == 0 || !is_of_class(event)) return;
    Field field = field_of(event);
    if (!atomic && is_by_library(event)) {
      // Texts and elements that it makes in this very call are nobody else's yet.
      if (is_heap(event.object) && allocated_in_call(event.object)) return;
      field = kOfLibrary;
    }
    uint64_t key = mix(mix(place.code, field.key), writes ? 2 : 1);
    std::vector<uint64_t> locks;
    for (const Held& held : held_)
      locks.push_back(mix(mix(held.field.key, relation(held.field, field)), held.lock.shared ? 2 : 1));
    std::sort(locks.begin(), locks.end());
    for (const uint64_t lock : locks) key = mix(key, lock);
    result_.coverage.push_back(key);
  }

  // Also what a library that is not instrumented does, as far as that can be told.
  bool is_by_library(const EventRecord& event) {
    return event.kind == EventKind::kFree || (event.flags & trace::event_flag::kRange) != 0 ||
           locator_.keys(trace_, event.site).is_in_library;
  }

  // Not an argument of this very call, nor the place for its result; not a constant.
  bool is_of_class(const EventRecord& event) {
    if (event.object == 0) return true;
    const trace::ObjectRecord& record = trace_.objects()[event.object];
    switch (record.kind) {
      case trace::ObjectKind::kHeap:
        return !allocated_in_call(event.object) || allocating_code(record) != 0;
      case trace::ObjectKind::kGlobal:
        return locator_.is_variable(trace_, event);
      default:
        return true;
    }
  }

  const trace::Trace& trace_;
  CallLocator& locator_;
  uint64_t begin_ = 0;                      // of the last call: the number of an event
  std::map<uint32_t, uint64_t> allocated_;  // by object: the number of an event
  std::vector<int8_t> inside_;              // by context
  std::vector<Held> held_;                  // sorted
  uint32_t sections_ = 0;
  std::set<CallAccess> seen_;
  CallFootprint result_;
};

uint64_t access_key(const CallAccess& access) {
  uint64_t key = mix(mix(access.place, access.location), access.writes ? 2 : 1);
  for (const HeldLock& lock : access.held) key = mix(mix(key, lock.lock), lock.shared ? 2 : 1);
  return key;
}

}  // namespace

CallFootprint read_last_call(const trace::Trace& trace, CallLocator& locator) {
  return LastCall(trace, locator).read();
}

std::vector<uint64_t> CallFootprint::exact_keys() const {
  std::vector<uint64_t> keys;
  for (const CallAccess& access : accesses) keys.push_back(access_key(access));
  for (const NestedLock& pair : nested) keys.push_back(mix(mix(mix(3, pair.outer), pair.inner), pair.place));
  for (const uint64_t key : waits) keys.push_back(mix(4, key));
  for (const uint64_t key : wakes) keys.push_back(mix(5, key));
  sort_each_once(&keys);
  return keys;
}

uint64_t CallFootprint::signature() const {
  uint64_t signature = 0;
  for (const uint64_t key : exact_keys()) signature = mix(signature, key);
  return signature;
}

}  // namespace heddle::generate
