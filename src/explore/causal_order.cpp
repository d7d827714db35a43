#include "explore/causal_order.h"

#include <algorithm>

namespace heddle {

using trace::EventKind;
using trace::OperationClass;

void CausalOrder::make_room_for(uint32_t thread) {
  if (thread < last_.size()) return;
  last_.resize(thread + 1, kNoStep);
  causes_.resize(thread + 1);
  if (thread < stride_) return;
  const size_t wider = std::max<size_t>(stride_ * 2, thread + 1);
  std::vector<uint32_t> clocks(wider * steps_.size());
  for (size_t step = 0; step < steps_.size(); ++step)
    std::copy_n(clock_of(step), stride_, clocks.begin() + static_cast<ptrdiff_t>(step * wider));
  clocks_ = std::move(clocks);
  stride_ = wider;
}

void CausalOrder::join(Clock* past, size_t step) const {
  const uint32_t* clock = clock_of(step);
  for (size_t t = 0; t < stride_; ++t) (*past)[t] = std::max((*past)[t], clock[t]);
}

// The latest steps first: the others may happen before them. An attempt that failed is no reason for a thread
// to be stuck.
void CausalOrder::find_sources(uint32_t thread, const Effect& effect, bool stuck,
                               std::vector<Source>* sources) const {
  sources->clear();
  if (effect.kind == OperationClass::kEverything) {
    for (const uint32_t last : last_) {
      if (last != kNoStep && steps_[last].thread != thread)
        sources->push_back({last, last, false, false, false});
    }
  } else if (effect.kind != OperationClass::kNone) {
    locations_.for_each_use(effect, [&](const LocationTable::Use& use) {
      if (use.thread == thread || !trace::classes_depend(use.kind, effect.kind)) return;
      if (stuck && use.kind == OperationClass::kLockTest) return;
      const bool releases = effect.waits && use.released;
      const bool holds = use.acquired != kNoStep && !use.released;
      const bool takes = use.kind == OperationClass::kTake && effect.kind == OperationClass::kTake;
      sources->push_back({releases ? use.acquired : use.step, use.step, releases, holds, takes});
    });
  }
  std::sort(sources->begin(), sources->end(),
            [](const Source& a, const Source& b) { return a.step > b.step; });
}

// `past` becomes what happens before a step of the thread. Its operations come one after the other: what
// happens before the first is not a race of the second.
void CausalOrder::find_past(uint32_t thread, const Effects& effects, bool stuck, Clock* past,
                            std::vector<Race>* races) const {
  past->assign(stride_, 0);
  const bool known = thread < last_.size();
  if (known && last_[thread] != kNoStep)
    join(past, last_[thread]);
  else if (known && causes_[thread].created != kNoStep)
    join(past, causes_[thread].created);
  if (last_exit_ != kNoStep) {  // everything depends on that
    if (!is_in(*past, last_exit_)) races->push_back({last_exit_, false, *past});
    join(past, last_exit_);
  }
  std::vector<Source> sources;
  for (const Effect& effect : effects) {
    if (effect.event == EventKind::kJoin && effect.peer < last_.size() && last_[effect.peer] != kNoStep)
      join(past, last_[effect.peer]);
    if (effect.event == EventKind::kCondWake && known && causes_[thread].woken != kNoStep)
      join(past, causes_[thread].woken);
    find_sources(thread, effect, stuck, &sources);
    const Clock before = *past;
    const bool waited = effect.kind == OperationClass::kLockTest;  // for what others held
    const auto holders =
        waited ? std::count_if(sources.begin(), sources.end(), [](const Source& s) { return s.holds; }) : 0;
    for (const Source& source : sources) {
      // A semaphore that has been posted in between was taken before all the same.
      const Clock& reasons = source.takes ? before : *past;
      if (source.race != kNoStep && !is_in(reasons, source.race)) {
        if (!source.releases && !source.takes)
          races->push_back({source.race, holders > (source.holds ? 1 : 0)});
        else if (std::optional<Clock> enough = past_of_lock(before, sources, source))
          races->push_back({source.race, false, std::move(*enough)});
      }
      if (source.releases && effect.timed && !is_in(*past, source.step))
        races->push_back({source.step, true, past_without(before, sources, source.step)});
      join(past, source.step);
    }
  }
}

// `before`, and all sources that do not happen after `step`, or are it.
Clock CausalOrder::past_without(const Clock& before, const std::vector<Source>& sources,
                                uint32_t step) const {
  Clock past = before;
  for (const Source& source : sources) {
    if (!happens_before(step, source.step)) join(&past, source.step);
  }
  return past;
}

// What must come before a lock that shall come before the one of `source`: the releases of all others who
// held it then. Nothing if one of them comes later for another reason.
std::optional<Clock> CausalOrder::past_of_lock(const Clock& before, const std::vector<Source>& sources,
                                               const Source& source) const {
  for (const Source& other : sources) {
    const bool later = other.step != source.step && happens_before(source.race, other.step);
    if (later && other.releases && other.race != kNoStep && other.race < source.race) return std::nullopt;
  }
  return past_without(before, sources, source.race);
}

void CausalOrder::push(uint32_t thread, const Effects& effects, std::vector<Race>* races) {
  make_room_for(thread);
  for (const Effect& effect : effects) {
    if (effect.event == EventKind::kFork) make_room_for(effect.peer);
  }
  const auto index = static_cast<uint32_t>(steps_.size());
  Clock past;
  const size_t first_race = races->size();
  find_past(thread, effects, false, &past, races);
  Step step{.thread = thread,
            .number = past[thread] + 1,
            .before = last_[thread],
            .last_exit = last_exit_,
            .mark = locations_.mark(),
            .woken = causes_[thread].woken,
            .changes = changes_.size()};
  past[thread] = step.number;
  for (size_t i = first_race; i < races->size(); ++i) {
    Race& race = (*races)[i];
    if (race.past.empty()) race.past = past;
  }
  steps_.push_back(step);
  clocks_.insert(clocks_.end(), past.begin(), past.end());
  last_[thread] = index;
  for (const Effect& effect : effects) {
    note_causes(thread, effect, index);
    if (effect.kind == OperationClass::kEverything) {
      last_exit_ = index;
    } else if (effect.kind != OperationClass::kNone) {
      locations_.add(effect, thread, index);
    }
  }
}

CausalOrder::Cause& CausalOrder::change(uint32_t thread) {
  changes_.push_back({thread, causes_[thread]});
  return causes_[thread];
}

void CausalOrder::note_causes(uint32_t thread, const Effect& effect, uint32_t step) {
  switch (effect.event) {
    case EventKind::kFork:
      change(effect.peer).created = step;
      break;
    case EventKind::kCondWait: {
      Cause& cause = change(thread);
      cause.waits = true;
      cause.object = effect.object;
      cause.offset = effect.begin;
      break;
    }
    case EventKind::kCondWake: {
      Cause& cause = change(thread);
      cause.waits = false;
      cause.woken = kNoStep;
      break;
    }
    case EventKind::kNotifyOne:
    case EventKind::kNotifyAll: {
      std::vector<uint32_t> waiting;
      for (uint32_t t = 0; t < causes_.size(); ++t) {
        const Cause& cause = causes_[t];
        if (cause.waits && cause.object == effect.object && cause.offset == effect.begin)
          waiting.push_back(t);
      }
      // If it is to be chosen, that comes next.
      if (effect.event == EventKind::kNotifyOne && waiting.size() > 1) break;
      for (const uint32_t t : waiting) {
        Cause& cause = change(t);
        cause.waits = false;
        cause.woken = step;
      }
      break;
    }
    default:
      break;
  }
}

void CausalOrder::push_wake(uint32_t woken) {
  Step step = steps_.back();
  step.before = last_[step.thread];
  step.last_exit = last_exit_;
  step.mark = locations_.mark();
  step.changes = changes_.size();
  const size_t from = clocks_.size() - stride_;
  for (size_t t = 0; t < stride_; ++t) clocks_.push_back(clocks_[from + t]);
  last_[step.thread] = static_cast<uint32_t>(steps_.size());
  steps_.push_back(step);
  make_room_for(woken);
  Cause& cause = change(woken);
  cause.waits = false;
  cause.woken = static_cast<uint32_t>(steps_.size() - 1);
}

bool CausalOrder::precedes_anyway(size_t first, size_t second) const {
  const Step& step = steps_[second];
  for (const uint32_t cause : {step.before, causes_[step.thread].created, step.woken}) {
    if (cause != kNoStep && cause < second && happens_before(first, cause)) return true;
  }
  return false;
}

uint64_t CausalOrder::hash_of(size_t step) const {
  constexpr uint64_t kFactor = 0x9e3779b97f4a7c15u;
  uint64_t hash = (uint64_t{steps_[step].thread} + 1) * kFactor;
  for (uint32_t t = 0; t < stride_; ++t) {  // what is 0 does not count: there may be more threads elsewhere
    const uint64_t pair = uint64_t{t} << 32 | clock_of(step)[t];
    if (clock_of(step)[t] != 0) hash = ((hash ^ hash >> 29) + pair) * kFactor;
  }
  return hash ^ hash >> 32;
}

void CausalOrder::pop_to(size_t size) {
  while (steps_.size() > size) {
    const Step& step = steps_.back();
    locations_.undo_to(step.mark);
    last_[step.thread] = step.before;
    last_exit_ = step.last_exit;
    for (; changes_.size() > step.changes; changes_.pop_back())
      causes_[changes_.back().thread] = changes_.back().before;
    steps_.pop_back();
  }
  clocks_.resize(size * stride_);
}

void CausalOrder::races_of_stuck(uint32_t thread, const Effects& effects, std::vector<Race>* races) const {
  Clock past;
  const size_t first_race = races->size();
  find_past(thread, effects, true, &past, races);
  for (size_t i = first_race; i < races->size(); ++i) {
    if ((*races)[i].past.empty()) (*races)[i].past = past;
  }
}

}  // namespace heddle
