#include "report/event_counts.h"

#include <algorithm>

namespace heddle {

void EventCounts::read() {
  is_read_ = true;
  std::vector<size_t> counts(trace_.threads().size());
  for (size_t i = 0; i < trace_.events().size(); ++i) {
    if (i % kMark == 0) marks_.push_back(counts);
    const uint32_t thread = trace_.events()[i].thread;
    if (thread >= counts.size()) counts.resize(thread + 1);
    counts[thread]++;
  }
}

std::map<uint32_t, size_t> EventCounts::between(size_t begin, size_t end) {
  if (!is_read_) read();
  std::map<uint32_t, size_t> counts;
  const auto count = [&](size_t from, size_t to) {
    for (size_t i = from; i < to; ++i) counts[trace_.events()[i].thread]++;
  };
  const size_t first = (begin + kMark - 1) / kMark;
  const size_t last = std::min(end / kMark, marks_.size() - 1);
  if (first >= last) {
    count(begin, end);
    return counts;
  }
  count(begin, first * kMark);
  for (uint32_t thread = 0; thread < marks_[last].size(); ++thread) {
    const size_t before = thread < marks_[first].size() ? marks_[first][thread] : 0;
    if (marks_[last][thread] != before) counts[thread] += marks_[last][thread] - before;
  }
  count(last * kMark, end);
  return counts;
}

}  // namespace heddle
