#include "predict/ideal.h"

#include <algorithm>
#include <utility>

#include "support/check.h"

namespace heddle {

Ideal::Ideal(const TraceModel& model)
    : model_(&model),
      cut_(model.thread_count()),
      next_link_(model.thread_count()),
      locks_(model.lock_count()),
      thread_saved_(model.thread_count()),
      lock_saved_(model.lock_count()) {}

void Ideal::add_before(EventIndex event) {
  const uint32_t thread = model_->thread_of(event);
  if (model_->continues(event)) {
    // To wait for a mutex at the end of a wait, a thread must have been notified.
    const EventIndex begin = model_->events_of(thread)[model_->number_of(event) - 1];
    for (const EventIndex need : model_->needs_of(begin)) add(need);
    event = begin;
  }
  const uint32_t number = model_->number_of(event);
  if (number != 0)
    add_prefix(thread, number);
  else if (model_->fork_of(thread) != kNoEvent)
    add(model_->fork_of(thread));
  if (model_->is_access(event)) {
    const EventIndex allocation = model_->allocation_of(event);
    if (allocation != kNoEvent && allocation < event) add(allocation);
  }
}

void Ideal::add_prefixes(const std::vector<uint32_t>& counts) {
  for (uint32_t thread = 0; thread < counts.size(); ++thread) demand(thread, counts[thread]);
  close();
}

void Ideal::assign(const std::vector<uint32_t>& cut) {
  HEDDLE_CHECK(!trying_);
  cut_ = cut;
  feasible_ = true;
  std::fill(locks_.begin(), locks_.end(), LockState{});
  for (uint32_t thread = 0; thread < cut_.size(); ++thread) {
    const std::span<const Link> links = model_->links_of(thread);
    const auto next = std::partition_point(links.begin(), links.end(),
                                           [&](const Link& link) { return link.number < cut_[thread]; });
    next_link_[thread] = static_cast<uint32_t>(next - links.begin());
  }
  for (uint32_t lock = 0; lock < locks_.size(); ++lock) assign_lock(lock);
  work_ += locks_.size();
  close();
}

// Of each thread the last acquisition counts, and of a lock with readers the last of either sort: those
// before have been released.
void Ideal::assign_lock(uint32_t lock) {
  for (const TraceModel::Acquisitions& own : model_->acquisitions_of(lock)) {
    const std::span<const Link> links = model_->links_of(own.thread);
    auto after = std::lower_bound(own.links.begin(), own.links.end(), next_link_[own.thread]);
    bool exclusive = false;
    bool shared = !own.shared_any;
    while (after != own.links.begin() && !(exclusive && shared)) {
      const Link& link = links[*--after];
      const bool is_exclusive = link.is_shared == 0;
      bool& seen = is_exclusive ? exclusive : shared;
      if (std::exchange(seen, true)) continue;
      if (is_exclusive)
        acquire(link);
      else
        acquire_shared(link);
    }
  }
}

void Ideal::demand(uint32_t thread, uint32_t count) {
  if (count <= cut_[thread]) return;
  if (trying_ && thread_saved_[thread] != trial_) {
    thread_saved_[thread] = trial_;
    old_cuts_.push_back({thread, cut_[thread], next_link_[thread]});
  }
  cut_[thread] = count;
  pending_.push_back(thread);
  for (const Forbidden& event : forbidden_)
    if (event.thread == thread && event.number < count) feasible_ = false;
}

void Ideal::demand_release(const Latest& section) {
  if (section.release == kNoEvent)
    feasible_ = false;
  else
    demand(section.release_thread, section.release_number + 1);
}

void Ideal::close() {
  while (!pending_.empty() && feasible_) {
    const uint32_t thread = pending_.back();
    pending_.pop_back();
    const std::span<const Link> links = model_->links_of(thread);
    uint32_t& next = next_link_[thread];
    const uint32_t begin = next;
    while (feasible_ && next < links.size() && links[next].number < cut_[thread]) {
      const Link& link = links[next++];
      if (link.is_need())
        demand(link.needed_thread(), link.needed_count());
      else if (link.is_shared == 0)
        acquire(link);
      else
        acquire_shared(link);
    }
    work_ += next - begin + 1;
  }
  pending_.clear();
}

// Event indices are in the order of the trace, and kNoEvent stands for "none so far".
void Ideal::acquire(const Link& link) {
  const Latest section = section_of(link);
  const LockState& state = locks_[link.lock];
  const bool readers = state.shared != kNoEvent;
  if (readers && section.acquire < state.shared) demand_release(section);
  if (state.exclusive.acquire != kNoEvent && section.acquire < state.exclusive.acquire) {
    demand_release(section);
    return;
  }
  if (state.exclusive.acquire != kNoEvent) demand_release(state.exclusive);
  if (readers) demand_readers_before(link.lock, section.acquire);
  change(link.lock).exclusive = section;
}

void Ideal::acquire_shared(const Link& link) {
  const EventIndex event = link.acquire();
  const LockState& state = locks_[link.lock];
  if (state.exclusive.acquire != kNoEvent)
    demand_release(event < state.exclusive.acquire ? section_of(link) : state.exclusive);
  if (state.shared == kNoEvent || state.shared < event) change(link.lock).shared = event;
}

// Of each thread only the last of its sections can be open. Acquisitions in the cut that have not been
// followed yet will find the exclusive one themselves.
void Ideal::demand_readers_before(uint32_t lock, EventIndex acquire) {
  for (const TraceModel::Acquisitions& own : model_->acquisitions_of(lock)) {
    if (!own.shared_any) continue;
    const std::span<const Link> links = model_->links_of(own.thread);
    const auto after = std::partition_point(own.links.begin(), own.links.end(), [&](uint32_t link) {
      return link < next_link_[own.thread] && links[link].acquire() < acquire;
    });
    if (after == own.links.begin()) continue;
    const Link& last = links[*std::prev(after)];
    if (last.is_shared != 0) demand_release(section_of(last));
  }
}

Ideal::LockState& Ideal::change(uint32_t lock) {
  if (trying_ && lock_saved_[lock] != trial_) {
    lock_saved_[lock] = trial_;
    old_locks_.emplace_back(lock, locks_[lock]);
  }
  return locks_[lock];
}

void Ideal::try_out() {
  HEDDLE_CHECK(!trying_);
  trying_ = true;
  was_feasible_ = feasible_;
  if (++trial_ == 0) {
    std::fill(thread_saved_.begin(), thread_saved_.end(), 0);
    std::fill(lock_saved_.begin(), lock_saved_.end(), 0);
    trial_ = 1;
  }
}

void Ideal::forbid(EventIndex event) {
  HEDDLE_CHECK(trying_);
  forbidden_.push_back({model_->thread_of(event), model_->number_of(event)});
  if (contains(event)) feasible_ = false;
}

void Ideal::undo() {
  HEDDLE_CHECK(trying_);
  for (const OldCut& old : old_cuts_) {
    cut_[old.thread] = old.count;
    next_link_[old.thread] = old.link;
  }
  for (const auto& [lock, state] : old_locks_) locks_[lock] = state;
  forbidden_.clear();
  old_cuts_.clear();
  old_locks_.clear();
  feasible_ = was_feasible_;
  trying_ = false;
}

}  // namespace heddle
