// How predict_races() stays near linear. It goes through the accesses in the order of the trace, and for each
// one, e2 of thread t2, asks about earlier accesses e1 of the same location. That is a pair of numbers (p1,
// p2): how many events of t1 and t2 come before. e1 and e2 race if the pair is *closed*: the ideal of both
// prefixes has no more events of t1 and t2 than these. Hence:
//   * past[t2] is the ideal of the prefix p2 alone. It grows with t2, and whatever it contains of t1 races
//   with
//     nothing that t2 does from now on. Each thread's past is followed once: time O(threads × trace).
//   * Locations that one thread uses alone, or that nobody writes, are passed over: *candidates* are the
//   rest, and of these only the locations that somebody in focus uses.
//   * Accesses under locks that exclude each other never race, and are not asked about: both sections have
//   begun
//     within the two prefixes, so the ideal contains the end of the earlier one, which comes after its
//     access.
//   * If the ideal of (p1, p2) has c1 > p1 events of t1, then so have the ideals of all (q1, q2) with
//     p1 ≤ q1 < c1 and p2 ≤ q2: these accesses of t1 are done with, as far as t2 is concerned. One question
//     answers many.
//   * More events of t2 than p2 it never has. All events of the prefixes come before e2 in the trace, and so
//   does
//     what they need. The first event from e2 on to join would be a release, demanded by a later acquisition
//     that is in the ideal already: but that would come after e2 as well.
//   * Events between which a thread has no links, and of which none is needed by others, are of one
//   *segment*:
//     they give the same answers. So of equal accesses in one segment the first one is enough.
//   * Accesses that are in the pasts of all other threads are forgotten.
#include "predict/race_prediction.h"

#include <algorithm>
#include <bit>
#include <memory>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

#include "predict/ideal.h"
#include "support/check.h"
#include "trace/granule.h"
#include "trace/variable_key.h"

namespace heddle {
namespace {

// In one unit of work: to compare an access with a group takes less time than to follow a link.
constexpr uint64_t kComparisonsPerLink = 4;

class RaceSearch {
 public:
  RaceSearch(const TraceModel& model, const RaceOptions& options)
      : model_(model),
        options_(options),
        threads_(model.thread_count()),
        slots_(model.location_count()),
        in_all_pasts_(model.thread_count()),
        budget_(options.max_work_per_event * (uint64_t{model.size()} + 1000)),
        past_bytes_(Ideal::memory_bytes(model) + model.thread_count() * sizeof(Dead)) {
    find_candidates();
  }

  Predictions run();

 private:
  // Accesses of one thread to one location that are alike, one for each segment.
  struct Group {
    uint32_t thread = 0;
    uint32_t site = 0;
    uint32_t lockset = 0;
    uint8_t bytes = 0;
    bool writes = false;
    bool atomic = false;
    bool in_focus = true;
    uint32_t last = 0;     // number in the thread
    uint32_t numbers = 0;  // of all, ascending: 1 + index into number_lists_. 0: there is one only
    uint32_t version = 0;  // of the location, when the last one was compared with all others

    bool same_kind(const Group& other) const {
      return thread == other.thread && site == other.site && lockset == other.lockset &&
             bytes == other.bytes && writes == other.writes && atomic == other.atomic &&
             in_focus == other.in_focus;
    }
    bool conflicts_with(const Group& other) const {
      return thread != other.thread && (bytes & other.bytes) != 0 && (writes || other.writes) &&
             !(atomic && other.atomic) && (in_focus || other.in_focus);
    }
  };
  struct Location {
    std::vector<Group> groups;
    std::vector<HeldLock> always_held;  // at all accesses so far; shared if it was once
    uint32_t version = 0;               // counts what was added
    uint32_t forgotten_at = 0;          // the round of forgetting that has been applied
    bool plain = false;                 // not all accesses are atomic
    bool writes = false;
  };
  // Accesses of another thread that are done with, by their numbers in it.
  struct Dead {
    uint32_t begin = 0;
    uint32_t end = 0;
  };
  struct Thread {
    std::unique_ptr<Ideal> past;  // see past_of(); none before its fork and after its last candidate
    std::vector<Dead> dead;       // by thread
    bool is_past_behind = false;  // the past is of an earlier candidate
    uint64_t creators_work = 0;   // of the ideal that the past began as a copy of
    uint32_t number = 0;          // of its next access
    uint32_t segment_begin = 0;
    uint32_t link = 0;
    uint32_t lockset_change = 0;
    uint32_t lockset = 0;
  };

  void find_candidates();
  void start(uint32_t thread, std::unique_ptr<Ideal> past);
  void advance_started();
  void advance(uint32_t thread);
  void start_forked(EventIndex event, Ideal& past);
  void step_over(EventIndex event);
  Ideal& past_of(uint32_t thread);
  void visit(EventIndex event);
  void append(uint32_t number, Group* group);
  void note_kind(const Group& group, Location* location) const;
  bool may_conflict(const Group& own, const Location& location) const;
  static uint64_t count_conflicts(const Group& own, const Location& location);
  void compare(EventIndex event, uint64_t granule, const Group& own, Location* location);
  uint64_t variable_of(EventIndex event, uint64_t granule, unsigned bytes) const;
  bool find_race(EventIndex event, const Group& other);
  bool ask(EventIndex first, EventIndex second);
  void report(EventIndex first, EventIndex second);
  void note_what_all_have_seen();
  void forget(Location* location);
  uint64_t memory_bytes() const;

  static uint64_t pair_of(uint32_t site, uint32_t other) {
    return uint64_t{std::min(site, other)} << 32 | std::max(site, other);
  }

  const TraceModel& model_;
  const RaceOptions& options_;
  std::vector<Thread> threads_;
  std::vector<bool> candidates_;  // by event
  std::vector<uint32_t> slots_;   // by location: 1 + index into locations_, if it is in question
  std::vector<Location> locations_;
  std::vector<std::vector<uint32_t>> number_lists_;
  std::vector<uint32_t> free_lists_;
  std::vector<uint32_t> in_all_pasts_;  // by thread: how many of its events are in the pasts of all others
  uint32_t round_ = 0;                  // of noting that
  using Variables = std::vector<uint64_t>;
  std::unordered_map<uint64_t, Variables> known_;  // by pair of sites: races were found at them
  uint64_t budget_;
  uint64_t questions_work_ = 0;  // links followed for them, and groups compared
  const uint64_t past_bytes_;
  uint32_t threads_left_out_ = 0;
  uint32_t pasts_ = 0;  // threads that have one
  uint32_t most_pasts_ = 0;
  std::vector<uint32_t> started_;  // threads that have a past, but not of their first access yet
  Predictions result_;
};

Predictions RaceSearch::run() {
  if (model_.thread_count() > kMaxThreads) {
    result_.left_out = fmt::format("the trace has {} threads, and races are predicted for up to {}",
                                   model_.thread_count(), kMaxThreads);
    return std::move(result_);
  }
  for (uint32_t thread = 0; thread < threads_.size(); ++thread) {
    if (model_.fork_of(thread) == kNoEvent) start(thread, std::make_unique<Ideal>(model_));
  }
  advance_started();
  // It takes threads² steps.
  const uint32_t note_every =
      std::max({1U, options_.forget_every, model_.thread_count() * model_.thread_count() / 4});
  for (EventIndex event = 0; event < model_.size(); ++event) {
    if (event % note_every == 0) note_what_all_have_seen();
    if (!candidates_[event] || threads_[model_.thread_of(event)].past == nullptr) continue;
    visit(event);
    if (result_.found.size() >= options_.max_races || questions_work_ > budget_) {
      result_.left_out = fmt::format("the search for races ended at event {} of {}: {}", event, model_.size(),
                                     questions_work_ > budget_ ? "too much work" : "enough were found");
      break;
    }
    step_over(event);
    advance(model_.thread_of(event));
    advance_started();
  }
  if (threads_left_out_ != 0) {
    result_.left_out +=
        fmt::format("{}{} threads were left out: {} MB of memory were allowed",
                    result_.left_out.empty() ? "" : "; ", threads_left_out_, options_.max_memory_bytes >> 20);
  }
  for (const Thread& thread : threads_) {
    if (thread.past != nullptr) result_.work += thread.past->work() - thread.creators_work;
  }
  result_.memory_bytes = memory_bytes();
  return std::move(result_);
}

void RaceSearch::find_candidates() {
  uint32_t in_question = 0;
  for (EventIndex event = 0; event < model_.size(); ++event) {
    if (!options_.focus.includes(event)) continue;
    for (const TraceModel::Part& part : model_.parts_of(event)) {
      if (slots_[part.location] == 0 && model_.is_contended(part.location))
        slots_[part.location] = ++in_question;
    }
  }
  locations_.resize(in_question);
  candidates_.resize(model_.size());
  for (EventIndex event = 0; event < model_.size(); ++event) {
    if (options_.only_focus && !options_.focus.includes(event)) continue;
    const std::span<const TraceModel::Part> parts = model_.parts_of(event);
    candidates_[event] = std::any_of(
        parts.begin(), parts.end(), [&](const TraceModel::Part& part) { return slots_[part.location] != 0; });
  }
}

void RaceSearch::start(uint32_t thread, std::unique_ptr<Ideal> past) {
  if ((pasts_ + uint64_t{1}) * past_bytes_ > options_.max_memory_bytes) {
    ++threads_left_out_;
    return;
  }
  threads_[thread].creators_work = past->work();
  threads_[thread].past = std::move(past);
  threads_[thread].dead.resize(threads_.size());
  started_.push_back(thread);
  most_pasts_ = std::max(most_pasts_, ++pasts_);
}

void RaceSearch::advance_started() {
  while (!started_.empty()) {
    const uint32_t thread = started_.back();
    started_.pop_back();
    advance(thread);
  }
}

// To the next candidate of a thread. Threads that are created on the way begin with what their creator knows.
void RaceSearch::advance(uint32_t thread) {
  Thread& own = threads_[thread];
  const std::span<const EventIndex> events = model_.events_of(thread);
  while (own.number < events.size() && !candidates_[events[own.number]]) {
    const EventIndex event = events[own.number];
    // Of most events their class is enough.
    if (model_.class_of(event) == EventClass::kOther) start_forked(event, *own.past);
    step_over(event);
  }
  if (own.number == events.size()) {
    result_.work += own.past->work() - own.creators_work;
    own.past.reset();
    --pasts_;
    own.dead = {};
  } else {
    own.is_past_behind = true;
  }
}

// The past of a thread's next candidate. It follows when somebody asks, since it takes less time to follow
// the links of many steps together.
Ideal& RaceSearch::past_of(uint32_t thread) {
  Thread& own = threads_[thread];
  if (std::exchange(own.is_past_behind, false)) own.past->add_before(model_.events_of(thread)[own.number]);
  return *own.past;
}

void RaceSearch::start_forked(EventIndex event, Ideal& past) {
  const trace::EventRecord& record = model_.trace().events()[event];
  if (record.kind != trace::EventKind::kFork || record.peer >= threads_.size() ||
      model_.fork_of(record.peer) != event)
    return;
  past.add(event);
  start(record.peer, std::make_unique<Ideal>(past));
}

void RaceSearch::step_over(EventIndex event) {
  const uint32_t index = model_.thread_of(event);
  Thread& own = threads_[index];
  const std::span<const Link> links = model_.links_of(index);
  bool ends_segment = model_.is_needed(event) || model_.is_release(event);
  while (own.link < links.size() && links[own.link].number <= own.number) {
    ends_segment = true;
    ++own.link;
  }
  ++own.number;
  if (ends_segment) own.segment_begin = own.number;
  const std::span<const TraceModel::LocksetChange> changes = model_.lockset_changes(index);
  while (own.lockset_change < changes.size() && changes[own.lockset_change].number <= own.number)
    own.lockset = changes[own.lockset_change++].lockset;
}

void RaceSearch::visit(EventIndex event) {
  const uint32_t thread = model_.thread_of(event);
  const Thread& own = threads_[thread];
  HEDDLE_CHECK(own.number == model_.number_of(event));
  if (!own.past->feasible()) return;
  Group group;
  group.thread = thread;
  group.site = model_.site_of(event);
  group.lockset = own.lockset;
  group.writes = model_.writes(event);
  group.atomic = model_.is_atomic(event);
  group.in_focus = options_.focus.includes(event);
  group.last = own.number;
  uint64_t next_granule = model_.trace().events()[event].offset / trace::kGranuleBytes;
  for (const TraceModel::Part& part : model_.parts_of(event)) {
    const uint64_t granule = next_granule++;
    if (slots_[part.location] == 0) continue;
    Location& location = locations_[slots_[part.location] - 1];
    forget(&location);
    group.bytes = part.bytes;
    const auto same = std::find_if(location.groups.begin(), location.groups.end(),
                                   [&](const Group& other) { return other.same_kind(group); });
    const bool is_new = same == location.groups.end();
    const bool same_segment = !is_new && same->last >= own.segment_begin;
    if (same_segment && same->version == location.version) continue;
    note_kind(group, &location);
    if (may_conflict(group, location)) compare(event, granule, group, &location);
    if (!same_segment) ++location.version;
    group.version = location.version;
    if (is_new) {
      result_.explored += count_conflicts(group, location);
      location.groups.push_back(group);
    } else {
      if (!same_segment) append(own.number, &*same);
      same->version = location.version;
    }
  }
}

void RaceSearch::append(uint32_t number, Group* group) {
  if (group->numbers == 0) {
    if (free_lists_.empty()) {
      free_lists_.push_back(static_cast<uint32_t>(number_lists_.size()) + 1);
      number_lists_.emplace_back();
    }
    group->numbers = free_lists_.back();
    free_lists_.pop_back();
    number_lists_[group->numbers - 1].push_back(group->last);
  }
  number_lists_[group->numbers - 1].push_back(number);
  group->last = number;
}

// What all accesses of a location have in common decides about most of them at once.
void RaceSearch::note_kind(const Group& group, Location* location) const {
  location->plain |= !group.atomic;
  location->writes |= group.writes;
  const std::span<const HeldLock> held = model_.lockset(group.lockset);
  if (location->version == 0) {
    location->always_held.assign(held.begin(), held.end());
    return;
  }
  std::erase_if(location->always_held, [&](HeldLock& lock) {
    const auto same =
        std::find_if(held.begin(), held.end(), [&](const HeldLock& one) { return one.lock == lock.lock; });
    if (same == held.end()) return true;
    lock.shared |= same->shared;
    return false;
  });
}

bool RaceSearch::may_conflict(const Group& own, const Location& location) const {
  if (!location.writes || (own.atomic && !location.plain)) return false;
  const std::span<const HeldLock> held = model_.lockset(own.lockset);
  return std::none_of(location.always_held.begin(), location.always_held.end(), [&](const HeldLock& lock) {
    return std::any_of(held.begin(), held.end(), [&](const HeldLock& one) { return one.excludes(lock); });
  });
}

// Whatever locks and order say of them.
uint64_t RaceSearch::count_conflicts(const Group& own, const Location& location) {
  return static_cast<uint64_t>(std::count_if(location.groups.begin(), location.groups.end(),
                                             [&](const Group& other) { return other.conflicts_with(own); }));
}

// Looks for races of an access with earlier ones.
void RaceSearch::compare(EventIndex event, uint64_t granule, const Group& own, Location* location) {
  // Those that it contains do not race; if it is behind, there are more of them.
  const std::vector<uint32_t>& past = threads_[own.thread].past->cut();
  questions_work_ += location->groups.size() / kComparisonsPerLink;
  for (const Group& other : location->groups) {
    if (!other.conflicts_with(own) || other.last < past[other.thread]) continue;
    if (model_.locksets_exclude(other.lockset, own.lockset)) continue;
    const uint64_t sites = pair_of(own.site, other.site);
    const auto variable = [&] { return variable_of(event, granule, own.bytes & other.bytes); };
    const auto known = known_.find(sites);
    if (known != known_.end() && (known->second.size() == trace::kMostVariablesAtSites ||
                                  std::ranges::find(known->second, variable()) != known->second.end()))
      continue;
    if (find_race(event, other)) known_[sites].push_back(variable());
  }
}

// Of a block operation, where it begins: it is about one variable.
uint64_t RaceSearch::variable_of(EventIndex event, uint64_t granule, unsigned bytes) const {
  const trace::EventRecord& record = model_.trace().events()[event];
  const uint64_t begin = granule * trace::kGranuleBytes + static_cast<unsigned>(std::countr_zero(bytes));
  return trace::variable_key(model_.trace().objects(), record.object, std::min(record.offset, begin));
}

// Asks about the accesses of a group one after the other, as far as the answer is not known.
bool RaceSearch::find_race(EventIndex event, const Group& other) {
  const Thread& own = threads_[model_.thread_of(event)];
  const Dead& dead = own.dead[other.thread];
  std::span<const uint32_t> numbers(&other.last, 1);
  if (other.numbers != 0) numbers = number_lists_[other.numbers - 1];
  auto candidate = std::lower_bound(numbers.begin(), numbers.end(), own.past->cut()[other.thread]);
  while (candidate != numbers.end()) {
    if (*candidate >= dead.begin && *candidate < dead.end)
      candidate = std::lower_bound(candidate, numbers.end(), dead.end);
    else if (ask(model_.events_of(other.thread)[*candidate], event))
      return true;
  }
  return false;
}

// Whether they race. If not, the first one and perhaps others are dead to the thread of the second.
bool RaceSearch::ask(EventIndex first, EventIndex second) {
  const uint32_t t1 = model_.thread_of(first);
  const uint32_t t2 = model_.thread_of(second);
  const uint32_t number = model_.number_of(first);
  Ideal& ideal = past_of(t2);
  const uint64_t work_before = ideal.work();
  ideal.try_out();
  ideal.add_before(first);
  const uint32_t count = ideal.feasible() ? ideal.cut()[t1] : kNoEvent;
  const bool race = count == number && !ideal.contains(second);
  if (race) report(first, second);
  ideal.undo();
  questions_work_ += ideal.work() - work_before;
  if (race) return true;

  Dead& dead = threads_[t2].dead[t1];
  const uint32_t end = std::max(count, number + 1);
  const bool adjoins = number <= dead.end && dead.begin <= end;
  dead.begin = adjoins ? std::min(dead.begin, number) : number;
  dead.end = adjoins ? std::max(dead.end, end) : end;
  return false;
}

void RaceSearch::report(EventIndex first, EventIndex second) {
  Prediction& race = result_.found.emplace_back();
  race.kind = PredictionKind::kRace;
  race.events = {first, second};
  race.witness.cut = past_of(model_.thread_of(second)).cut();
  race.witness.tail = {first, second};
}

void RaceSearch::note_what_all_have_seen() {
  ++round_;
  std::fill(in_all_pasts_.begin(), in_all_pasts_.end(), kNoEvent);
  for (uint32_t thread = 0; thread < threads_.size(); ++thread) {
    if (threads_[thread].past == nullptr) continue;
    // Few accesses are candidates then, and it costs less to keep them than to follow the pasts.
    const Ideal& past = options_.only_focus ? *threads_[thread].past : past_of(thread);
    if (!past.feasible()) continue;
    const std::vector<uint32_t>& cut = past.cut();
    for (uint32_t other = 0; other < cut.size(); ++other) {
      if (other != thread) in_all_pasts_[other] = std::min(in_all_pasts_[other], cut[other]);
    }
  }
}

void RaceSearch::forget(Location* location) {
  if (location->forgotten_at == round_) return;
  location->forgotten_at = round_;
  std::erase_if(location->groups, [&](Group& group) {
    const uint32_t seen = in_all_pasts_[group.thread];
    if (group.numbers == 0) return group.last < seen;
    std::vector<uint32_t>& numbers = number_lists_[group.numbers - 1];
    numbers.erase(numbers.begin(), std::lower_bound(numbers.begin(), numbers.end(), seen));
    if (numbers.size() > 1) return false;
    const bool is_empty = numbers.empty();
    numbers.clear();
    free_lists_.push_back(std::exchange(group.numbers, 0));
    return is_empty;
  });
}

uint64_t RaceSearch::memory_bytes() const {
  uint64_t total = locations_.capacity() * sizeof(Location) + slots_.capacity() * sizeof(uint32_t) +
                   candidates_.capacity() / 8;
  for (const Location& location : locations_) {
    total += location.groups.capacity() * sizeof(Group) + location.always_held.capacity() * sizeof(HeldLock);
  }
  for (const std::vector<uint32_t>& numbers : number_lists_) total += numbers.capacity() * sizeof(uint32_t);
  return total + past_bytes_ * most_pasts_;
}

}  // namespace

Predictions predict_races(const TraceModel& model, const RaceOptions& options) {
  return RaceSearch(model, options).run();
}

bool is_sync_preserving_race(const TraceModel& model, EventIndex first, EventIndex second, Witness* witness) {
  if (model.thread_of(first) == model.thread_of(second) || !model.conflict(first, second)) return false;
  Ideal ideal(model);
  ideal.add_before(first);
  ideal.add_before(second);
  if (!ideal.feasible() || ideal.contains(first) || ideal.contains(second)) return false;
  if (witness != nullptr) *witness = {ideal.cut(), {std::min(first, second), std::max(first, second)}};
  return true;
}

}  // namespace heddle
