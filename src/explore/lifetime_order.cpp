#include "explore/lifetime_order.h"

#include <algorithm>

namespace heddle {

void LifetimeOrder::push(uint32_t step, uint32_t thread, const std::vector<Operation>& operations) {
  Past& own = past_of(thread);
  if (thread >= own.size()) own.resize(thread + 1);
  own[thread] = step + 1;
  for (const Operation& operation : operations) {
    if (operation.kind == trace::EventKind::kFork) merge(operation.peer, thread);
    if (operation.kind == trace::EventKind::kJoin) merge(thread, operation.peer);
  }
}

LifetimeOrder::Past& LifetimeOrder::past_of(uint32_t thread) {
  if (thread >= past_.size()) past_.resize(thread + 1);
  return past_[thread];
}

void LifetimeOrder::merge(uint32_t into, uint32_t from) {
  const Past known = past_of(from);
  Past& past = past_of(into);
  if (past.size() < known.size()) past.resize(known.size());
  for (size_t i = 0; i < known.size(); ++i) past[i] = std::max(past[i], known[i]);
}

}  // namespace heddle
