#include "report/held_locks.h"

#include <algorithm>

#include "report/event_facts.h"

namespace heddle {

using trace::EventKind;
using trace::EventRecord;

uint32_t HeldLocks::put(const LockAtEvent& lock, uint32_t below) {
  nodes_.push_back({lock, below});
  return static_cast<uint32_t>(nodes_.size() - 1);
}

// The list without a lock. What was taken after it is put on top again.
uint32_t HeldLocks::without(uint32_t held, const EventRecord& unlock) {
  std::vector<LockAtEvent> above;
  bool is_found = false;
  for (uint32_t at = held; at != kNothing; at = nodes_[at].below) {
    const LockAtEvent lock = nodes_[at].lock;
    is_found = lock.object == unlock.object && lock.offset == unlock.offset;
    if (!is_found) {
      above.push_back(lock);
      continue;
    }
    held = nodes_[at].below;
    break;
  }
  if (!is_found) return held;
  for (auto lock = above.rbegin(); lock != above.rend(); ++lock) held = put(*lock, held);
  return held;
}

void HeldLocks::read() {
  is_read_ = true;
  constexpr uint16_t kNoChange =
      trace::event_flag::kFailed | trace::event_flag::kTimedOut | trace::event_flag::kRecursive;
  for (uint64_t i = 0; i < trace_.events().size(); ++i) {
    const EventRecord& event = trace_.events()[i];
    const bool takes = is_acquire(event.kind);
    const bool releases = event.kind == EventKind::kUnlock || event.kind == EventKind::kReadUnlock;
    if ((!takes && !releases) || (event.flags & kNoChange) != 0) continue;
    if (event.thread >= changes_.size()) changes_.resize(event.thread + 1);
    std::vector<Change>& changes = changes_[event.thread];
    const uint32_t held = changes.empty() ? kNothing : changes.back().held;
    const bool shared = event.kind == EventKind::kReadLock || event.kind == EventKind::kTryReadLock;
    changes.push_back(
        {i, takes ? put({event.object, event.offset, !shared, i}, held) : without(held, event)});
  }
}

std::vector<LockAtEvent> HeldLocks::at(uint64_t event) {
  if (event >= trace_.events().size()) return {};
  if (!is_read_) read();
  const uint32_t thread = trace_.events()[event].thread;
  if (thread >= changes_.size()) return {};
  const std::vector<Change>& changes = changes_[thread];
  const auto next = std::lower_bound(changes.begin(), changes.end(), event,
                                     [](const Change& change, uint64_t at) { return change.event < at; });
  std::vector<LockAtEvent> held;
  if (next == changes.begin()) return held;
  for (uint32_t at = (next - 1)->held; at != kNothing; at = nodes_[at].below) held.push_back(nodes_[at].lock);
  std::reverse(held.begin(), held.end());
  return held;
}

}  // namespace heddle
