// Causes: which writes of other threads a step goes back to.
//
// What a thread does depends on what it has read. Of that, what others wrote is how they took part: the
// thread that left a flag set, the one that put a job into the queue. Going back over a few such hand-overs
// tells who is part of a failure, also where they have ended long before it shows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "trace/trace.h"

namespace heddle {

// What one thread read of another. Both are indices in events().
struct Cause {
  size_t read = 0;
  size_t write = 0;
};

class Causes {
 public:
  // `trace` must outlive this.
  explicit Causes(const trace::Trace& trace);

  // What the event's thread had read when it came to the event: the last of each other thread's writes that
  // it saw, the latest seen first.
  std::vector<Cause> of(size_t event) const;

  // Only what it read since it last took a lock or woke up.
  std::vector<Cause> of_section(size_t event) const;

  // From the end of `thread` back over several hand-overs, the most direct first. Each other thread is there
  // once.
  std::vector<Cause> of_end(uint32_t thread) const;

 private:
  std::vector<Cause> look_back(size_t event, bool within_section) const;

  const trace::Trace& trace_;
  size_t begin_;                  // what lies before is not looked at
  std::vector<size_t> writers_;   // of the events from begin_ on: the index of what it read, plus 1
  std::vector<size_t> previous_;  // of the same thread, plus 1
};

}  // namespace heddle
