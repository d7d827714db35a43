#include "impact/concurrency_context.h"

#include <algorithm>

namespace heddle {

uint32_t ContextTracker::context_of(uint32_t thread) {
  Thread& it = threads_[thread];
  if (it.is_stored) return it.context;
  ConcurrencyContext context;
  context.first_held = static_cast<uint32_t>(held_.size());
  context.held = static_cast<uint32_t>(it.held.size());
  context.order = it.order;
  held_.insert(held_.end(), it.held.begin(), it.held.end());
  std::sort(held_.begin() + context.first_held, held_.end(),
            [](const HeldSection& a, const HeldSection& b) { return a.lock < b.lock; });
  it.context = static_cast<uint32_t>(contexts_.size());
  it.is_stored = true;
  contexts_.push_back(context);
  return it.context;
}

void ContextTracker::acquire(uint32_t thread, uint64_t lock, bool is_shared) {
  threads_[thread].held.push_back({lock, sections_++, is_shared});
  threads_[thread].is_stored = false;
}

// The latest acquisition of it: read locks may be held several times.
void ContextTracker::release(uint32_t thread, uint64_t lock) {
  std::vector<HeldSection>& held = threads_[thread].held;
  const auto found = std::find_if(held.rbegin(), held.rend(),
                                  [&](const HeldSection& section) { return section.lock == lock; });
  if (found == held.rend()) return;
  held.erase(std::next(found).base());
  threads_[thread].is_stored = false;
}

}  // namespace heddle
