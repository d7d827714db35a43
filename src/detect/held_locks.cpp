#include "detect/held_locks.h"

#include <algorithm>

namespace heddle::detect {

using trace::EventKind;
using trace::EventRecord;
namespace flag = trace::event_flag;

bool HeldLocks::takes(const EventRecord& event) {
  switch (event.kind) {
    case EventKind::kLock:
    case EventKind::kTryLock:
    case EventKind::kReadLock:
    case EventKind::kTryReadLock:
      return (event.flags & (flag::kFailed | flag::kTimedOut | flag::kRecursive)) == 0;
    default:
      return false;
  }
}

void HeldLocks::add(const EventRecord& event, uint64_t number) {
  if ((event.flags & (flag::kFailed | flag::kTimedOut | flag::kRecursive)) != 0) return;
  if (event.thread >= threads_.size())
    threads_.resize(std::max<size_t>(event.thread + 1, threads_.size() * 2));
  Thread& thread = threads_[event.thread];
  const uint32_t lock = this->number(event);
  if (takes(event)) {
    const bool reading = event.kind == EventKind::kReadLock || event.kind == EventKind::kTryReadLock;
    thread.held.push_back({.lock = lock,
                           .reading = reading,
                           .object = event.object,
                           .offset = event.offset,
                           .event = number,
                           .site = event.site,
                           .context = event.context,
                           .kind = event.kind});
    thread.set = sets_.with(thread.set, LockSets::member(lock, reading));
    return;
  }
  const auto last = std::find_if(thread.held.rbegin(), thread.held.rend(),
                                 [&](const Held& held) { return held.lock == lock; });
  if (last == thread.held.rend()) return;
  const bool reading = last->reading;
  thread.held.erase(std::next(last).base());
  // A reader may hold it several times.
  const bool again = std::ranges::any_of(
      thread.held, [&](const Held& held) { return held.lock == lock && held.reading == reading; });
  if (!again) thread.set = sets_.without(thread.set, LockSets::member(lock, reading));
}

}  // namespace heddle::detect
