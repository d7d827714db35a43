#include "impact/impact.h"

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "impact/alignment.h"
#include "impact/concurrency_context.h"
#include "impact/moved_parts.h"
#include "trace/location_index.h"
#include "trace/variable_key.h"

namespace heddle {

using trace::EventKind;
using trace::EventRecord;
using trace::MemoryOrder;
using trace::mix_key;

namespace {

constexpr uint32_t kNone = Alignment::kNone;

bool has_flag(const EventRecord& event, uint16_t flag) {
  return (event.flags & flag) != 0;
}

bool is_access(EventKind kind) {
  return kind >= EventKind::kRead && kind <= EventKind::kAtomicUpdate;
}

bool is_atomic(EventKind kind) {
  return kind >= EventKind::kAtomicRead && kind <= EventKind::kAtomicUpdate;
}

bool is_acquisition(const EventRecord& event) {
  switch (event.kind) {
    case EventKind::kLock:
    case EventKind::kReadLock:
    case EventKind::kTryLock:
    case EventKind::kTryReadLock:
      return !has_flag(event, trace::event_flag::kFailed) &&
             !has_flag(event, trace::event_flag::kRecursive) &&
             !has_flag(event, trace::event_flag::kTimedOut);
    default:
      return false;
  }
}

bool is_shared_lock(EventKind kind) {
  return kind == EventKind::kReadLock || kind == EventKind::kTryReadLock;
}

bool is_release(const EventRecord& event) {
  return (event.kind == EventKind::kUnlock || event.kind == EventKind::kReadUnlock) &&
         !has_flag(event, trace::event_flag::kRecursive);
}

// Sends or receives something that orders threads, whatever the memory model says.
bool is_message(EventKind kind) {
  switch (kind) {
    case EventKind::kFork:
    case EventKind::kJoin:
    case EventKind::kCondWake:
    case EventKind::kNotifyOne:
    case EventKind::kNotifyAll:
    case EventKind::kSemWait:
    case EventKind::kSemTryWait:
    case EventKind::kSemPost:
    case EventKind::kBarrierArrive:
    case EventKind::kBarrierLeave:
    case EventKind::kOnceBegin:
    case EventKind::kOnceEnd:
    case EventKind::kOncePassed:
    case EventKind::kFutexAwake:
    case EventKind::kFutexWake:
    case EventKind::kSignalSend:
    case EventKind::kSignal:
      return true;
    default:
      return false;
  }
}

bool has_context(const EventRecord& event) {
  return is_access(event.kind) || is_acquisition(event) || is_message(event.kind) ||
         event.kind == EventKind::kCondWait || event.kind == EventKind::kFutexWait;
}

bool acquires(const EventRecord& event) {
  const auto order = static_cast<MemoryOrder>(event.order);
  return event.kind != EventKind::kAtomicWrite && order != MemoryOrder::kRelaxed &&
         order != MemoryOrder::kRelease;
}

bool releases(const EventRecord& event) {
  const auto order = static_cast<MemoryOrder>(event.order);
  return event.kind != EventKind::kAtomicRead && order >= MemoryOrder::kRelease;
}

// Whether what `before` guarantees is not guaranteed by `after`.
bool is_weaker(const EventRecord& after, uint8_t order_before) {
  EventRecord before = after;
  before.order = order_before;
  const bool was_total = static_cast<MemoryOrder>(order_before) == MemoryOrder::kSeqCst;
  return (acquires(before) && !acquires(after)) || (releases(before) && !releases(after)) ||
         (was_total && static_cast<MemoryOrder>(after.order) != MemoryOrder::kSeqCst);
}

// Which atomic operations carry messages: a write that releases, and the first look of a thread at what
// another has written. That somebody looks again and again until it is there is no further message.
class AtomicMessages {
 public:
  bool is_message(const EventRecord& event) {
    const uint32_t location = locations_.number(event.object, event.offset);
    if (location >= last_writes_.size()) last_writes_.resize(location + 1);
    Write& last = last_writes_[location];
    bool is = event.kind != EventKind::kAtomicRead && releases(event);
    if (event.kind != EventKind::kAtomicWrite && acquires(event) && last.number != 0 &&
        last.thread != event.thread) {
      uint64_t& seen = seen_[uint64_t{location} << 32 | event.thread];
      is |= seen < last.number;
      seen = last.number;
    }
    const bool writes = event.kind != EventKind::kAtomicRead && !has_flag(event, trace::event_flag::kFailed);
    if (writes) last = {event.thread, ++writes_};
    return is;
  }

 private:
  struct Write {
    uint32_t thread = 0;
    uint64_t number = 0;
  };
  trace::LocationIndex locations_;
  std::vector<Write> last_writes_;
  std::unordered_map<uint64_t, uint64_t> seen_;  // location and thread → the write it has seen
  uint64_t writes_ = 0;
};

// What both passes do alike: keep track of locks and of where in the program an event is.
class Pass {
 public:
  Pass(const trace::Trace& of, const VersionNames& names, SideOfImpact& kept)
      : trace(of, names), side(kept), contexts(kept.contexts) {
    contexts = ContextTracker(of.threads().size());
    side.messages.resize(of.threads().size());
  }

  // The statement, in its calling context and thread.
  uint64_t place(const EventRecord& event) const {
    return mix_key(trace.thread(event.thread), trace.place(event.context, event.site));
  }
  // What it is about: for accesses and messages.
  uint64_t about(const EventRecord& event) const {
    if (event.kind == EventKind::kFork || event.kind == EventKind::kJoin)
      return event.peer < trace.trace().threads().size() ? trace.thread(event.peer) : 0;
    if (event.object == 0) return 0;
    return is_access(event.kind) ? trace.memory(event.object, event.offset)
                                 : trace.location(event.object, event.offset);
  }
  void follow_locks(const EventRecord& event, uint64_t index) {
    if (is_acquisition(event)) {
      const uint64_t lock = trace.location(event.object, event.offset);
      side.lock_events.try_emplace(lock, index);
      contexts.acquire(event.thread, lock, is_shared_lock(event.kind));
    } else if (is_release(event)) {
      contexts.release(event.thread, trace.location(event.object, event.offset));
    }
  }

  ComparableTrace trace;
  SideOfImpact& side;
  ContextTracker& contexts;
  AtomicMessages atomics;
};

// Kinds have their own count in a place, since an update that became a read and a write is in the same place
// as both; so have messages, since how often somebody looks before there is one says nothing.
uint64_t list_key(uint64_t place, EventKind kind, bool is_sent) {
  return mix_key(place, static_cast<uint64_t>(kind) << 1 | (is_sent ? 1 : 0));
}

// The places of a trace's events, one after the other. Those of events to come are known before, so that what
// the alignment will need of them can be fetched.
class Places {
 public:
  explicit Places(const Pass& pass) : pass_(pass), events_(pass.trace.trace().events()) {}

  // Of the next event. The list of an event is fetched first, and when that has come, the event of the base.
  template <typename FetchList, typename FetchEvent>
  uint64_t next(FetchList&& fetch_list, FetchEvent&& fetch_event) {
    for (; known_ < events_.size() && known_ <= given_ + kDistance; ++known_) {
      places_[known_ % kRoom] = pass_.place(events_[known_]);
      fetch_list(key_of(known_));
    }
    if (given_ + kDistance / 2 < known_) fetch_event(key_of(given_ + kDistance / 2));
    return places_[given_++ % kRoom];
  }

 private:
  // About as many events as take as long as memory.
  static constexpr uint64_t kDistance = 16;
  static constexpr uint64_t kRoom = 2 * kDistance;

  uint64_t key_of(uint64_t number) const {
    const EventKind kind = events_[number].kind;
    return list_key(places_[number % kRoom], kind, is_message(kind));
  }

  const Pass& pass_;
  const std::span<const EventRecord> events_;
  std::array<uint64_t, kRoom> places_{};
  uint64_t known_ = 0;  // so many events have a place
  uint64_t given_ = 0;
};

// Whether another thread could come between: there is one from its start until it has been joined.
class ThreadsAlive {
 public:
  explicit ThreadsAlive(const trace::Trace& trace) : threads_(trace.threads()) {
    // Of threads that came some other way it is not known since when there are.
    for (size_t thread = 1; thread < threads_.size(); ++thread)
      if (threads_[thread].create_site == 0) ++others_;
  }
  void see(const EventRecord& event) {
    constexpr uint16_t kInVain = trace::event_flag::kFailed | trace::event_flag::kTimedOut;
    if (event.kind == EventKind::kSignalSend || event.kind == EventKind::kSignal) has_signals_ = true;
    if (event.kind == EventKind::kFork && is_known(event.peer)) ++others_;
    if (event.kind == EventKind::kJoin && is_known(event.peer) && !has_flag(event, kInVain)) --others_;
  }
  bool are_several() const { return others_ != 0 || has_signals_; }

 private:
  bool is_known(uint32_t thread) const {
    return thread < threads_.size() && threads_[thread].create_site != 0;
  }

  std::span<const trace::ThreadRecord> threads_;
  int64_t others_ = 0;
  bool has_signals_ = false;
};

class ImpactAnalysis {
 public:
  ImpactAnalysis(const trace::Trace& base, const VersionNames& base_names, const trace::Trace& head,
                 const VersionNames& head_names)
      : base_(base, base_names, result_.base), head_(head, head_names, result_.head), head_alive_(head) {
    if (!head_names.has_other_fields) return;
    moved_parts_ = MovedParts::find(base, base_names, head, head_names);
    head_.trace.set_moved_parts(&moved_parts_);
  }

  Impact run() {
    read_base();
    head_sections_.assign(base_.contexts.sections(), kNone);
    is_split_.assign(base_.contexts.sections(), false);
    read_head();
    find_separated();
    result_.memory_bytes = known_.memory_bytes();
    return std::move(result_);
  }

 private:
  using Known = Alignment::Known;

  void read_base() {
    const std::span<const EventRecord> events = base_.trace.trace().events();
    known_.reserve(events.size());
    Places places(base_);
    for (uint64_t i = 0; i < events.size(); ++i) {
      const EventRecord& event = events[i];
      const uint64_t place = places.next([this](uint64_t key) { known_.prefetch_list(key); },
                                         [this](uint64_t key) { known_.prefetch_event_to_add(key); });
      base_.trace.see(event);
      if (has_context(event)) {
        const bool is_sent =
            is_message(event.kind) || (is_atomic(event.kind) && base_.atomics.is_message(event));
        const uint32_t number = known_.add(list_key(place, event.kind, is_sent), place,
                                           {.about = base_.about(event),
                                            .event = i,
                                            .order = event.order,
                                            .context = base_.contexts.context_of(event.thread)});
        if (is_sent) {
          base_.contexts.add_message(event.thread, message_key(number));
          base_.side.messages[event.thread].push_back({.event = i});
        }
      }
      base_.follow_locks(event, i);
    }
  }

  void read_head() {
    const std::span<const EventRecord> events = head_.trace.trace().events();
    Places places(head_);
    for (uint64_t i = 0; i < events.size(); ++i) {
      const uint64_t place = places.next([this](uint64_t key) { known_.prefetch_list(key); },
                                         [this](uint64_t key) { known_.prefetch_event(key); });
      head_.trace.see(events[i]);
      head_alive_.see(events[i]);
      if (has_context(events[i])) compare(events[i], i, place);
      head_.follow_locks(events[i], i);
    }
  }

  void compare(const EventRecord& event, uint64_t index, uint64_t place) {
    if (is_access(event.kind)) {
      ++result_.accesses;
      note_span(event, index);
    }
    const bool is_sent = is_message(event.kind) || (is_atomic(event.kind) && head_.atomics.is_message(event));
    const uint32_t partner = known_.next(list_key(place, event.kind, is_sent));
    if (partner != kNone) ++result_.compared;
    const std::optional<ImpactReason> reason = reason_of(event, place, partner);
    const bool can_interleave =
        head_alive_.are_several() || !(is_access(event.kind) || is_acquisition(event));
    if (reason && can_interleave) {
      result_.events.push_back({.event = index,
                                .partner = partner == kNone ? kNoPartner : known_[partner].event,
                                .context = head_.contexts.context_of(event.thread),
                                .partner_context = partner == kNone ? 0 : known_[partner].context,
                                .reason = *reason});
      if (is_access(event.kind)) ++result_.impacted_accesses;
    }
    if (is_sent) pass_on_message(event, index, partner);
  }

  std::optional<ImpactReason> reason_of(const EventRecord& event, uint64_t place, uint32_t partner) {
    if (is_atomic(event.kind) && partner != kNone && is_weaker(event, known_[partner].order))
      return ImpactReason::kAccessKind;
    if (head_.trace.is_changed(event.site)) {
      const bool was_of_another_kind = partner == kNone && is_access(event.kind) && known_.comes_to(place);
      return was_of_another_kind ? ImpactReason::kAccessKind : ImpactReason::kNewCode;
    }
    if (partner == kNone) return ImpactReason::kNewlyReached;
    const Known& known = known_[partner];
    if (is_access(event.kind) && known.about != head_.about(event)) return ImpactReason::kNewlyReached;
    const uint32_t context = head_.contexts.context_of(event.thread);
    if (!holds_the_same(known.context, context))
      return is_acquisition(event) ? ImpactReason::kLockOrder : ImpactReason::kLockset;
    const bool was_released = has_new_gap(known.context, context);
    if (base_.contexts[known.context].order != head_.contexts[context].order) return ImpactReason::kOrdering;
    if (was_released) return ImpactReason::kLockReleased;
    return std::nullopt;
  }

  bool holds_the_same(uint32_t base, uint32_t head) const {
    return std::ranges::equal(base_.contexts.held(base), head_.contexts.held(head),
                              [](const HeldSection& a, const HeldSection& b) {
                                return a.lock == b.lock && a.is_shared == b.is_shared;
                              });
  }

  // Whether one of the critical sections is another than that of the first event that was in the same one in
  // the base: then others can come between the two.
  bool has_new_gap(uint32_t base, uint32_t head) {
    const std::span<const HeldSection> before = base_.contexts.held(base);
    const std::span<const HeldSection> now = head_.contexts.held(head);
    bool has_gap = false;
    for (size_t i = 0; i < before.size(); ++i) {
      uint32_t& section = head_sections_[before[i].section];
      if (section == kNone) section = now[i].section;
      if (section == now[i].section) continue;
      is_split_[before[i].section] = true;
      has_gap = true;
    }
    return has_gap;
  }

  void note_span(const EventRecord& event, uint64_t index) {
    const uint32_t context = head_.contexts.context_of(event.thread);
    if (context >= spans_.size()) spans_.resize(context + 1);
    Span& span = spans_[context];
    if (span.end == 0) span = {.thread = event.thread, .first = index};
    span.end = index + 1;
  }

  void find_separated() {
    std::unordered_set<uint32_t> first_parts;  // sections of the head
    for (size_t section = 0; section < is_split_.size(); ++section)
      if (is_split_[section]) first_parts.insert(head_sections_[section]);
    if (first_parts.empty()) return;
    const std::span<const EventRecord> events = head_.trace.trace().events();
    for (uint32_t context = 0; context < spans_.size(); ++context) {
      const auto is_first_part = [&](const HeldSection& held) { return first_parts.contains(held.section); };
      if (std::ranges::none_of(head_.contexts.held(context), is_first_part)) continue;
      const Span& span = spans_[context];
      for (uint64_t i = span.first; i < span.end; ++i)
        if (events[i].thread == span.thread && is_access(events[i].kind)) result_.separated.push_back(i);
    }
    std::ranges::sort(result_.separated);
  }

  // A message of the base that the head lacks, or has weaker, makes what comes after it differ; so does one
  // of which the base knows nothing. Only more atomic operations order what was ordered before, and more.
  void pass_on_message(const EventRecord& event, uint64_t index, uint32_t partner) {
    const bool is_by_atomic = is_atomic(event.kind);
    const bool is_known = partner != kNone && known_[partner].about == head_.about(event);
    if (is_known && !(is_by_atomic && is_weaker(event, known_[partner].order))) {
      head_.contexts.add_message(event.thread, message_key(partner));
      head_.side.messages[event.thread].push_back({.event = index, .partner = known_[partner].event});
    } else if (!is_by_atomic) {
      head_.side.messages[event.thread].push_back({.event = index});
      head_.contexts.add_message(event.thread, mix_key(~uint64_t{0}, index));
    }
  }

  static uint64_t message_key(uint32_t number) { return mix_key(1, number); }

  Impact result_;
  MovedParts moved_parts_;
  Pass base_;
  Pass head_;
  ThreadsAlive head_alive_;
  Alignment known_;
  std::vector<uint32_t> head_sections_;  // by section of the base: where it is in the head
  std::vector<bool> is_split_;           // likewise: part of it is somewhere else, too
  // By context of the head: its thread, and where its accesses are among those of others.
  struct Span {
    uint32_t thread = 0;
    uint64_t first = 0;
    uint64_t end = 0;  // 0: it has none
  };
  std::vector<Span> spans_;
};

}  // namespace

const char* to_text(ImpactReason reason) {
  switch (reason) {
    case ImpactReason::kNewCode:
      return "new-code";
    case ImpactReason::kNewlyReached:
      return "newly-reached";
    case ImpactReason::kAccessKind:
      return "access-kind";
    case ImpactReason::kLockset:
      return "lockset";
    case ImpactReason::kLockOrder:
      return "lock-order";
    case ImpactReason::kLockReleased:
      return "lock-released";
    case ImpactReason::kOrdering:
      return "ordering";
  }
  return "";
}

Impact find_impact(const trace::Trace& base, const VersionNames& base_names, const trace::Trace& head,
                   const VersionNames& head_names) {
  return ImpactAnalysis(base, base_names, head, head_names).run();
}

}  // namespace heddle
