// How predict_races() stays near linear. It goes through the accesses in the order of the trace, and for each
// one, e2 of thread t2, asks about earlier accesses e1 of the same location. That is a pair of numbers (p1,
// p2): how many events of t1 and t2 come before. e1 and e2 race if the pair is *closed*: the ideal of both
// prefixes has no more events of t1 and t2 than these. Hence:
//   * past[t2] is the ideal of the prefix p2 alone. It grows with t2, and whatever it contains of t1 races
//   with
//     nothing that t2 does from now on. Each thread's past is followed once: time O(threads × trace).
//   * Accesses under locks that exclude each other never race, and are not asked about: both sections have
//   begun
//     within the two prefixes, so the ideal contains the end of the earlier one, which comes after its
//     access.
//   * If the ideal of (p1, p2) has c1 > p1 events of t1, then so have the ideals of all (q1, q2) with
//     p1 ≤ q1 < c1 and p2 ≤ q2: these accesses of t1 are done with, as far as t2 is concerned. If it has c2 >
//     p2 of t2, then no (q1, q2) with p1 ≤ q1 and p2 ≤ q2 < c2 is closed. One question answers many.
//   * Events between which a thread has no links, and of which none is needed by others, are of one
//   *segment*:
//     they give the same answers. So of equal accesses in one segment the first one is enough.
//   * Accesses that are in the pasts of all other threads are forgotten.
#include "predict/race_prediction.h"

#include <algorithm>
#include <memory>
#include <unordered_set>

#include <fmt/format.h>

#include "predict/ideal.h"

namespace heddle {
namespace {

// An ideal for each thread, and each as long as there are threads.
constexpr uint32_t kMaxThreads = 4096;

class RaceSearch {
 public:
  RaceSearch(const TraceModel& model, const RaceOptions& options)
      : model_(model),
        options_(options),
        threads_(model.thread_count()),
        locations_(model.location_count()),
        in_all_pasts_(model.thread_count()),
        budget_(options.max_work_per_event * (uint64_t{model.size()} + 1000)) {}

  Predictions run();

 private:
  // Accesses of one thread to one location that are alike.
  struct Group {
    uint32_t thread = 0;
    uint32_t site = 0;
    uint32_t lockset = 0;
    uint8_t bytes = 0;
    bool writes = false;
    bool atomic = false;
    uint32_t segment = 0;           // of the last one
    uint64_t version = 0;           // of the location, when the last one was compared with all others
    std::vector<uint32_t> numbers;  // in the thread, ascending; one for each segment

    bool same_kind(const Group& other) const {
      return thread == other.thread && site == other.site && lockset == other.lockset &&
             bytes == other.bytes && writes == other.writes && atomic == other.atomic;
    }
    bool conflicts_with(const Group& other) const {
      return thread != other.thread && (bytes & other.bytes) != 0 && (writes || other.writes) &&
             !(atomic && other.atomic);
    }
  };
  struct Location {
    std::vector<Group> groups;
    uint64_t version = 0;
    bool done = false;  // OnePer::kLocation
  };
  // What is known of pairs with one other thread.
  struct Answered {
    uint32_t dead_begin = 0;  // its accesses with these numbers are done with
    uint32_t dead_end = 0;
    uint32_t blocked_from = 0;   // those from this number on are, as long as our thread
    uint32_t blocked_until = 0;  // has executed fewer events
  };
  struct Thread {
    std::unique_ptr<Ideal> past;  // of its next access; none before its fork and after its last access
    std::vector<Answered> answered;
    uint32_t number = 0;  // of its next access
    uint32_t segment = 0;
    uint32_t link = 0;
    uint32_t lockset_change = 0;
    uint32_t lockset = 0;
  };

  void start(uint32_t thread, std::unique_ptr<Ideal> past);
  void advance_started();
  void advance(uint32_t thread);
  void step_over(EventIndex event);
  void visit(EventIndex event);
  void compare(EventIndex event, const Group& own, Location* location);
  bool ask(EventIndex first, EventIndex second);
  void report(EventIndex first, EventIndex second);
  void forget_what_all_have_seen();
  uint64_t memory_bytes() const;

  static uint64_t pair_of(uint32_t site, uint32_t other) {
    return uint64_t{std::min(site, other)} << 32 | std::max(site, other);
  }

  const TraceModel& model_;
  const RaceOptions& options_;
  std::vector<Thread> threads_;
  std::vector<Location> locations_;
  std::vector<uint32_t> in_all_pasts_;  // by thread: how many of its events are in the pasts of all others
  std::unordered_set<uint64_t> known_pairs_;
  uint64_t budget_;
  uint64_t not_asked_ = 0;
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
  const uint32_t forget_every = std::max<uint32_t>(4096, 4 * model_.thread_count() * model_.thread_count());
  for (EventIndex event = 0; event < model_.size(); ++event) {
    if (event % forget_every == 0) forget_what_all_have_seen();
    if (!model_.is_access(event)) continue;
    visit(event);
    if (result_.found.size() >= options_.max_races) {
      result_.left_out = fmt::format("the search ended after {} races, at event {} of {}",
                                     result_.found.size(), event, model_.size());
      break;
    }
    step_over(event);
    advance(model_.thread_of(event));
    advance_started();
  }
  if (not_asked_ != 0)
    result_.left_out = fmt::format("{} pairs of accesses were not looked at: too much work", not_asked_);
  result_.memory_bytes = std::max(result_.memory_bytes, memory_bytes());
  return std::move(result_);
}

void RaceSearch::start(uint32_t thread, std::unique_ptr<Ideal> past) {
  threads_[thread].past = std::move(past);
  threads_[thread].answered.resize(threads_.size());
  started_.push_back(thread);
}

void RaceSearch::advance_started() {
  while (!started_.empty()) {
    const uint32_t thread = started_.back();
    started_.pop_back();
    advance(thread);
  }
}

// To the next access of a thread. Threads that are created on the way begin with what their creator knows.
void RaceSearch::advance(uint32_t thread) {
  Thread& own = threads_[thread];
  const std::span<const EventIndex> events = model_.events_of(thread);
  while (own.number < events.size() && !model_.is_access(events[own.number])) {
    const EventIndex event = events[own.number];
    const trace::EventRecord& record = model_.trace().events()[event];
    if (record.kind == trace::EventKind::kFork && record.peer < threads_.size() &&
        model_.fork_of(record.peer) == event) {
      own.past->add(event);
      start(record.peer, std::make_unique<Ideal>(*own.past));
    }
    step_over(event);
  }
  if (own.number == events.size()) {
    result_.work += own.past->work();
    own.past.reset();
    own.answered = {};
  } else {
    own.past->add_before(events[own.number]);
  }
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
  own.segment += ends_segment;
  ++own.number;
  const std::span<const TraceModel::LocksetChange> changes = model_.lockset_changes(index);
  while (own.lockset_change < changes.size() && changes[own.lockset_change].number <= own.number)
    own.lockset = changes[own.lockset_change++].lockset;
}

void RaceSearch::visit(EventIndex event) {
  const Thread& own = threads_[model_.thread_of(event)];
  if (!own.past->feasible()) return;
  Group group;
  group.thread = model_.thread_of(event);
  group.site = model_.site_of(event);
  group.lockset = own.lockset;
  group.writes = model_.writes(event);
  group.atomic = model_.is_atomic(event);
  group.segment = own.segment;
  for (const TraceModel::Part& part : model_.parts_of(event)) {
    Location& location = locations_[part.location];
    if (location.done) continue;
    std::erase_if(location.groups, [&](const Group& other) {
      return other.numbers.back() < in_all_pasts_[other.thread] && other.thread != group.thread;
    });
    group.bytes = part.bytes;
    auto same = std::find_if(location.groups.begin(), location.groups.end(),
                             [&](const Group& other) { return other.same_kind(group); });
    const bool is_new = same == location.groups.end();
    if (!is_new && same->segment == own.segment && same->version == location.version) continue;
    compare(event, group, &location);
    if (is_new) {
      location.groups.push_back(group);
      same = std::prev(location.groups.end());
    }
    if (is_new || same->segment != own.segment) {
      same->numbers.push_back(own.number);
      same->segment = own.segment;
      ++location.version;
    }
    same->version = location.version;
  }
}

// Looks for races of an access with earlier ones, one for each group.
void RaceSearch::compare(EventIndex event, const Group& own, Location* location) {
  const std::vector<uint32_t>& past = threads_[own.thread].past->cut();
  std::vector<Answered>& answered = threads_[own.thread].answered;
  const uint32_t number = model_.number_of(event);
  for (const Group& other : location->groups) {
    if (!other.conflicts_with(own) || other.numbers.back() < past[other.thread]) continue;
    if (model_.locksets_exclude(other.lockset, own.lockset)) continue;
    if (options_.one_per == RaceOptions::OnePer::kSites &&
        known_pairs_.contains(pair_of(own.site, other.site)))
      continue;
    const Answered& known = answered[other.thread];
    auto candidate = std::lower_bound(other.numbers.begin(), other.numbers.end(), past[other.thread]);
    while (candidate != other.numbers.end()) {
      if (*candidate >= known.dead_begin && *candidate < known.dead_end) {
        candidate = std::lower_bound(candidate, other.numbers.end(), known.dead_end);
        continue;
      }
      if (number < known.blocked_until && *candidate >= known.blocked_from) break;
      const EventIndex first = model_.events_of(other.thread)[*candidate];
      if (result_.work > budget_) {
        ++not_asked_;
        break;
      }
      if (!ask(first, event)) continue;  // known has changed
      location->done = options_.one_per == RaceOptions::OnePer::kLocation;
      break;
    }
    if (location->done) break;
  }
}

// Whether they race. If not, says so in `answered` for all pairs that this is clear of.
bool RaceSearch::ask(EventIndex first, EventIndex second) {
  const uint32_t t1 = model_.thread_of(first);
  const uint32_t t2 = model_.thread_of(second);
  const uint32_t p1 = model_.number_of(first);
  const uint32_t p2 = model_.number_of(second);
  Ideal& ideal = *threads_[t2].past;
  const uint64_t work_before = ideal.work();
  ideal.try_out();
  ideal.add_before(first);
  const bool feasible = ideal.feasible();
  const uint32_t c1 = feasible ? ideal.cut()[t1] : kNoEvent;
  const uint32_t c2 = feasible ? ideal.cut()[t2] : kNoEvent;
  const bool race = c1 == p1 && c2 == p2;
  if (race) report(first, second);
  ideal.undo();
  result_.work += ideal.work() - work_before;

  Answered& answered = threads_[t2].answered[t1];
  if (c1 > p1) {
    const bool adjoins = p1 <= answered.dead_end && answered.dead_begin <= c1;
    answered.dead_begin = adjoins ? std::min(answered.dead_begin, p1) : p1;
    answered.dead_end = adjoins ? std::max(answered.dead_end, c1) : c1;
  }
  if (c2 > p2 && (answered.blocked_until <= p2 || p1 <= answered.blocked_from)) {
    answered.blocked_from = p1;
    answered.blocked_until = c2;
  }
  return race;
}

void RaceSearch::report(EventIndex first, EventIndex second) {
  known_pairs_.insert(pair_of(model_.site_of(first), model_.site_of(second)));
  Prediction& race = result_.found.emplace_back();
  race.kind = PredictionKind::kRace;
  race.events = {first, second};
  race.witness.cut = threads_[model_.thread_of(second)].past->cut();
  race.witness.tail = {first, second};
}

void RaceSearch::forget_what_all_have_seen() {
  std::fill(in_all_pasts_.begin(), in_all_pasts_.end(), kNoEvent);
  for (uint32_t thread = 0; thread < threads_.size(); ++thread) {
    if (threads_[thread].past == nullptr || !threads_[thread].past->feasible()) continue;
    const std::vector<uint32_t>& cut = threads_[thread].past->cut();
    for (uint32_t other = 0; other < cut.size(); ++other) {
      if (other != thread) in_all_pasts_[other] = std::min(in_all_pasts_[other], cut[other]);
    }
  }
}

uint64_t RaceSearch::memory_bytes() const {
  uint64_t total = locations_.capacity() * sizeof(Location);
  for (const Location& location : locations_) {
    total += location.groups.capacity() * sizeof(Group);
    for (const Group& group : location.groups) total += group.numbers.capacity() * sizeof(uint32_t);
  }
  return total;
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
