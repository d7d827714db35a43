#include "predict/witness_search.h"

#include <algorithm>

namespace heddle {

using trace::EventKind;
using trace::EventRecord;
namespace flag = trace::event_flag;

namespace {

// The cut is made larger when the tail lacks something; more often than this leads nowhere.
constexpr int kMostRounds = 16;
// A trace that is so short is tried from its beginning, too, with as little in the cut as possible.
constexpr uint32_t kShortTrace = 20'000;
// Writes of one location that are looked at to find the last one.
constexpr uint32_t kMostWrites = 10'000;

bool keeps_order(EventKind kind) {
  switch (kind) {
    case EventKind::kCondWait:
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
    case EventKind::kFutexWait:
    case EventKind::kFutexAwake:
    case EventKind::kFutexWake:
    case EventKind::kSyncInit:
    case EventKind::kSyncDestroy:
    case EventKind::kAccess:
      return true;
    default:
      return false;
  }
}

// In one unit of work: to look whether an event has been executed takes less time than to execute one.
constexpr uint64_t kLooksPerStep = 8;

bool is_lock_operation(EventKind kind) {
  return kind >= EventKind::kLock && kind <= EventKind::kTryReadLock;
}

}  // namespace

WitnessSearch::WitnessSearch(const TraceModel& model, bool reads_may_differ)
    : model_(model),
      reads_may_differ_(reads_may_differ),
      base_(model),
      base_counts_(model.thread_count()),
      first_write_(model.location_count() + 1),
      allocations_(model.trace().objects().size(), kNoEvent),
      forks_(model.thread_count(), kNoEvent),
      last_in_tail_(model.location_count()) {
  const std::span<const EventRecord> events = model.trace().events();
  const auto for_each_write = [&](auto&& action) {
    for (EventIndex i = 0; i < events.size(); ++i) {
      if (!model.writes(i)) continue;
      for (const TraceModel::Part& part : model.parts_of(i)) action(i, part.location);
    }
  };
  for_each_write([&](EventIndex, uint32_t location) { ++first_write_[location + 1]; });
  for (uint32_t i = 0; i < model.location_count(); ++i) first_write_[i + 1] += first_write_[i];
  writes_.resize(first_write_.back());
  std::vector<uint32_t> next(first_write_.begin(), first_write_.end());
  for_each_write([&](EventIndex i, uint32_t location) { writes_[next[location]++] = i; });

  std::vector<bool> was_taken(model.lock_count());
  for (EventIndex i = 0; i < events.size(); ++i) {
    const EventRecord& event = events[i];
    if (model.is_release(i) && !was_taken[model.lock_of(i)])
      early_releases_[model.lock_of(i)].push_back(i);
    else if (model.is_acquire(i))
      was_taken[model.lock_of(i)] = true;
    else if (keeps_order(event.kind))
      chains_[{event.object, event.offset}].push_back(i);
    else if (event.kind == EventKind::kAlloc && event.object != 0)
      allocations_[event.object] = i;
    else if (event.kind == EventKind::kFork && event.peer < forks_.size())
      forks_[event.peer] = i;
  }
}

// Before the first of the locks that the thread holds at this event: the tail takes them again, so that
// critical sections can come in another order than in the trace.
uint32_t WitnessSearch::start_of(EventIndex event) const {
  uint32_t start = model_.number_of(event);
  if (model_.lockset_at(event) == 0) return start;
  for (const HeldLock& held : model_.held_at(event))
    if (held.acquire != kNoEvent) start = std::min(start, model_.number_of(held.acquire));
  return start;
}

EventIndex WitnessSearch::begin_of(std::span<const EventIndex> wanted) const {
  EventIndex begin = kNoEvent;
  for (const EventIndex event : wanted)
    begin = std::min(begin, model_.events_of(model_.thread_of(event))[start_of(event)]);
  return begin;
}

// A prefix of the trace is an ideal, so the base is what it is asked to be.
void WitnessSearch::move_base(EventIndex to) {
  if (to == base_end_) return;
  if (to < base_end_) {
    base_ = Ideal(model_);
    std::fill(base_counts_.begin(), base_counts_.end(), 0);
    base_end_ = 0;
  }
  for (; base_end_ < to; ++base_end_) ++base_counts_[model_.thread_of(base_end_)];
  base_.add_prefixes(base_counts_);
}

std::optional<WitnessSearch::Answer> WitnessSearch::find(std::span<const EventIndex> wanted) {
  const EventIndex begin = begin_of(wanted);
  move_base(begin);
  std::optional<Answer> answer = find_above(wanted);
  if (!answer && begin != 0 && model_.size() <= kShortTrace) {
    move_base(0);
    answer = find_above(wanted);
  }
  return answer;
}

std::optional<WitnessSearch::Answer> WitnessSearch::find_above(std::span<const EventIndex> wanted) {
  const uint64_t before = base_.work();
  base_.try_out();
  wanted_ = wanted;
  // The first may turn out to be in the cut, but none of the others.
  for (const EventIndex event : wanted.subspan(1)) base_.forbid(event);
  runners_[0] = {model_.thread_of(wanted[0]), 0};
  base_.add_prefix(runners_[0].thread, start_of(wanted[0]));
  const auto other = std::find_if(wanted.begin(), wanted.end(), [&](EventIndex event) {
    return model_.thread_of(event) != runners_[0].thread;
  });
  runners_[1] = {model_.thread_of(*other), 0};
  base_.add_prefix(runners_[1].thread, start_of(*other));
  std::optional<Answer> answer;
  for (int round = 0; round < kMostRounds && base_.feasible(); ++round) {
    const Step outcome = run_tail(wanted);
    if (outcome == Step::kDone) {
      answer = Answer{{base_.cut(), {tail_.begin(), tail_.end()}}, assumes_same_path_};
      break;
    }
    if (outcome != Step::kMissing) break;
    base_.add(missing_);
  }
  work_ += base_.work() - before;
  base_.undo();
  return answer;
}

WitnessSearch::Step WitnessSearch::run_tail(std::span<const EventIndex> wanted) {
  forget_tail();
  work_ += model_.thread_count();
  cut_end_ = 0;
  for (uint32_t thread = 0; thread < model_.thread_count(); ++thread) {
    if (const uint32_t count = base_.cut()[thread]; count != 0)
      cut_end_ = std::max(cut_end_, model_.events_of(thread)[count - 1] + 1);
  }
  assumes_same_path_ = false;
  for (Runner& runner : runners_) runner = {runner.thread, base_.cut()[runner.thread]};
  for (const EventIndex event : wanted) {
    const bool second = model_.thread_of(event) != runners_[0].thread;
    const Step outcome = run_through(runners_[second], runners_[!second], model_.number_of(event));
    if (outcome != Step::kDone) return outcome;
  }
  return Step::kDone;
}

void WitnessSearch::note_writes_of_tail(EventIndex event) {
  for (const TraceModel::Part& part : model_.parts_of(event)) {
    uint32_t& last = last_in_tail_[part.location];
    tail_writes_.push_back({{event, part.bytes}, last});
    last = static_cast<uint32_t>(tail_writes_.size());
  }
}

void WitnessSearch::forget_tail() {
  for (const EventIndex event : tail_) {
    if (!model_.writes(event)) continue;
    for (const TraceModel::Part& part : model_.parts_of(event)) last_in_tail_[part.location] = 0;
  }
  tail_.clear();
  tail_writes_.clear();
}

WitnessSearch::Step WitnessSearch::run_through(Runner& runner, Runner& other, uint32_t number) {
  while (runner.next <= number) {
    Step outcome = step(runner, other);
    if (outcome == Step::kBlocked) outcome = step_aside(other, runner, blocked_on_);
    if (outcome != Step::kDone) return outcome;
  }
  return Step::kDone;
}

// `other` cannot go on before `runner` has executed `event`, the release of a lock, say. So it does, but not
// its next wanted event, whose turn has not come.
WitnessSearch::Step WitnessSearch::step_aside(Runner& runner, const Runner& other, EventIndex event) {
  const std::span<const EventIndex> events = model_.events_of(runner.thread);
  while (runner.next <= model_.number_of(event)) {
    if (is_wanted(events[runner.next])) return Step::kImpossible;
    const Step outcome = step(runner, other);
    if (outcome != Step::kDone) return outcome == Step::kBlocked ? Step::kImpossible : outcome;
  }
  return Step::kDone;
}

// Executes the next event of a thread, if it can be executed and does what it did.
WitnessSearch::Step WitnessSearch::step(Runner& runner, const Runner& other) {
  const EventIndex index = model_.events_of(runner.thread)[runner.next];
  const EventRecord& event = model_.trace().events()[index];
  const bool failed = (event.flags & (flag::kFailed | flag::kTimedOut)) != 0;
  Step outcome = Step::kDone;
  bool reads_else = false;
  if (runner.next == 0 && forks_[runner.thread] != kNoEvent) outcome = require(forks_[runner.thread]);
  if (outcome == Step::kDone && model_.is_access(index)) {
    const EventIndex allocation = allocations_[event.object];
    if (allocation < index) outcome = require(allocation);
    if (outcome == Step::kDone && model_.reads(index)) {
      const Step seen = read(index);
      if (is_wanted(index) || may_differ(index))
        reads_else = seen != Step::kDone;
      else
        outcome = seen;
    }
  }
  if (outcome == Step::kDone && is_lock_operation(event.kind)) {
    if (failed) return Step::kImpossible;  // who was in its way may not be there
    outcome = keep_order(index);
    if (outcome == Step::kDone && model_.is_acquire(index)) outcome = take_lock(index, other);
  } else if (outcome == Step::kDone) {
    if (event.kind == EventKind::kExit || event.kind == EventKind::kSignal) return Step::kImpossible;
    if (event.kind == EventKind::kJoin && event.peer < model_.thread_count()) {
      const std::span<const EventIndex> joined = model_.events_of(event.peer);
      const auto end = std::lower_bound(joined.begin(), joined.end(), index);
      if (end != joined.begin()) outcome = require(*std::prev(end));
    } else if (keeps_order(event.kind) && event.kind != EventKind::kSemPost) {
      outcome = keep_order(index);
    }
  }
  if (outcome != Step::kDone) return outcome;
  if (tail_.size() == kLongestTail) return Step::kImpossible;
  assumes_same_path_ |= runner.has_read_else;
  runner.has_read_else |= reads_else;
  tail_.push_back(index);
  if (model_.writes(index)) note_writes_of_tail(index);
  ++runner.next;
  ++work_;
  return Step::kDone;
}

// Whether it reads what one of the wanted accesses touches.
bool WitnessSearch::may_differ(EventIndex event) const {
  if (!reads_may_differ_) return false;
  const auto overlaps = [&](EventIndex wanted) {
    for (const TraceModel::Part& part : model_.parts_of(event)) {
      for (const TraceModel::Part& other : model_.parts_of(wanted)) {
        if (part.location == other.location && (part.bytes & other.bytes) != 0) return true;
      }
    }
    return false;
  };
  return std::any_of(wanted_.begin(), wanted_.end(), overlaps);
}

WitnessSearch::Step WitnessSearch::take_lock(EventIndex event, const Runner& other) {
  const uint32_t lock = model_.lock_of(event);
  const bool shared = model_.class_of(event) == EventClass::kSharedAcquire;
  if (const auto early = early_releases_.find(lock); early != early_releases_.end()) {
    for (const EventIndex release : early->second)
      if (!is_executed(release)) return require(release);
  }
  for (const TraceModel::Acquisitions& own : model_.acquisitions_of(lock)) {
    if (own.thread == model_.thread_of(event)) continue;
    const std::span<const Link> links = model_.links_of(own.thread);
    const uint32_t done = own.thread == other.thread ? other.next : base_.cut()[own.thread];
    const auto after = std::partition_point(own.links.begin(), own.links.end(),
                                            [&](uint32_t link) { return links[link].number < done; });
    if (after == own.links.begin()) continue;
    const Link& last = links[*std::prev(after)];
    if (shared && model_.class_of(last.a) == EventClass::kSharedAcquire) continue;
    if (last.b != kNoEvent && is_executed(last.b)) continue;
    if (last.b == kNoEvent) return Step::kImpossible;
    return require(last.b);
  }
  return Step::kDone;
}

// The last writes to some bytes among those that count, latest in the trace first. Empty bytes: they are not
// known, since too many do not count.
template <typename Counts>
std::vector<WitnessSearch::Write> WitnessSearch::last_writes(TraceModel::Part part, EventIndex before,
                                                             Counts&& counts) const {
  std::vector<Write> found;
  const auto begin = writes_.begin() + first_write_[part.location];
  auto at = std::lower_bound(begin, writes_.begin() + first_write_[part.location + 1], before);
  for (uint32_t looked_at = 0; at != begin && part.bytes != 0;) {
    --at;
    if (!counts(*at)) {
      if (++looked_at == kMostWrites) return {Write{}};
      continue;
    }
    for (const TraceModel::Part& written : model_.parts_of(*at)) {
      if (written.location != part.location || (written.bytes & part.bytes) == 0) continue;
      found.push_back({*at, static_cast<uint8_t>(written.bytes & part.bytes)});
      part.bytes &= static_cast<uint8_t>(~written.bytes);
    }
  }
  return found;
}

WitnessSearch::Step WitnessSearch::read(EventIndex event) {
  for (TraceModel::Part part : model_.parts_of(event)) {
    const std::vector<Write> wanted = last_writes(part, event, [](EventIndex) { return true; });
    for (const Write& write : wanted) {
      const Step outcome = require(write.event);
      if (outcome != Step::kDone) return outcome;
    }
    std::vector<Write> seen;
    for (uint32_t at = last_in_tail_[part.location]; at != 0 && part.bytes != 0;
         at = tail_writes_[at - 1].before) {
      const Write& written = tail_writes_[at - 1].write;
      if ((written.bytes & part.bytes) == 0) continue;
      seen.push_back({written.event, static_cast<uint8_t>(written.bytes & part.bytes)});
      part.bytes &= static_cast<uint8_t>(~written.bytes);
    }
    const std::vector<Write> before =
        last_writes(part, cut_end_, [&](EventIndex write) { return base_.contains(write); });
    seen.insert(seen.end(), before.begin(), before.end());
    std::sort(seen.begin(), seen.end(), [](const Write& a, const Write& b) { return a.event > b.event; });
    if (seen != wanted) return Step::kImpossible;
  }
  return Step::kDone;
}

// All that was done to the object before has been done, and nothing that comes later.
WitnessSearch::Step WitnessSearch::keep_order(EventIndex event) {
  const EventRecord& record = model_.trace().events()[event];
  const auto chain = chains_.find({record.object, record.offset});
  if (chain == chains_.end()) return Step::kDone;
  work_ += chain->second.size() / kLooksPerStep;
  for (const EventIndex other : chain->second) {
    if (other < event) {
      const Step outcome = require(other);
      if (outcome != Step::kDone) return outcome;
    } else if (other > event && is_executed(other)) {
      return Step::kImpossible;
    }
  }
  return Step::kDone;
}

// What the other thread of the tail has yet to do it can do now; what is missing of a third belongs into the
// cut.
WitnessSearch::Step WitnessSearch::require(EventIndex event) {
  if (is_executed(event)) return Step::kDone;
  const uint32_t thread = model_.thread_of(event);
  blocked_on_ = missing_ = event;
  return thread == runners_[0].thread || thread == runners_[1].thread ? Step::kBlocked : Step::kMissing;
}

bool WitnessSearch::is_executed(EventIndex event) const {
  for (const Runner& runner : runners_)
    if (runner.thread == model_.thread_of(event)) return model_.number_of(event) < runner.next;
  return base_.contains(event);
}

bool WitnessSearch::is_wanted(EventIndex event) const {
  return std::find(wanted_.begin(), wanted_.end(), event) != wanted_.end();
}

bool WitnessSearch::is_forced(EventIndex first, EventIndex second) {
  move_base(begin_of(std::array{first, second}));
  const uint64_t before = base_.work();
  base_.try_out();
  base_.add(second);
  const bool forced = !base_.feasible() || base_.contains(first);
  work_ += base_.work() - before;
  base_.undo();
  return forced;
}

}  // namespace heddle
