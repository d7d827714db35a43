#include "completion_latch.h"

#include <algorithm>
#include <limits>

namespace waiting {

CompletionLatch::CompletionLatch(int64_t pending) : pending_(std::max<int64_t>(0, pending)) {}

bool CompletionLatch::count_down(int64_t done) {
  if (done <= 0) return !is_complete();
  int64_t pending = pending_.load();
  while (pending > 0) {
    const int64_t left = std::max<int64_t>(0, pending - done);
    if (!pending_.compare_exchange_weak(pending, left)) continue;
    if (left == 0) completed_.notify_all();
    return true;
  }
  return false;
}

bool CompletionLatch::add(int64_t more) {
  if (more <= 0) return !is_complete();
  int64_t pending = pending_.load();
  while (pending > 0) {
    const int64_t most = std::numeric_limits<int64_t>::max() - pending;
    if (pending_.compare_exchange_weak(pending, pending + std::min(more, most))) return true;
  }
  return false;
}

bool CompletionLatch::complete() {
  const bool was_pending = pending_.exchange(0) > 0;
  if (was_pending) completed_.notify_all();
  return was_pending;
}

void CompletionLatch::wait() {
  std::unique_lock lock(mutex_);
  while (pending_.load() > 0) completed_.wait(lock);
}

void CompletionLatch::arrive_and_wait() {
  count_down();
  wait();
}

}  // namespace waiting
