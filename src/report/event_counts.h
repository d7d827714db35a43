// EventCounts: how many events of each thread are in a part of a trace.
//
// The trace is read once, when first asked; what is between two marks is known from then on.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "trace/trace.h"

namespace heddle {

class EventCounts {
 public:
  explicit EventCounts(const trace::Trace& trace) : trace_(trace) {}

  // By thread, of those with events from `begin` up to `end`, which are indices.
  std::map<uint32_t, size_t> between(size_t begin, size_t end);

 private:
  static constexpr size_t kMark = 1 << 16;  // events from one to the next

  void read();

  const trace::Trace& trace_;
  bool is_read_ = false;
  std::vector<std::vector<size_t>> marks_;  // at each: by thread, its events before
};

}  // namespace heddle
