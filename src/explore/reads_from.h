// ReadsFrom: which statements have been seen to read from which, and which could.
//
// A pair says that a statement has read what another one has left on the same location (trace/reads_from.h),
// or that nobody had written there yet, and whether the writer was the reading thread itself: that it was
// not, is what makes a violation of atomicity. Threads have no part in it otherwise, so the pairs of a
// hundred threads that do the same are those of two.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <vector>

#include "explore/observation.h"

namespace heddle {

struct ReadsFromPair {
  uint64_t read = 0;   // statement
  uint64_t write = 0;  // statement; 0: the initial value
  bool own = false;    // the reading thread has written it

  auto operator<=>(const ReadsFromPair&) const = default;
};

class ReadsFrom {
 public:
  struct Seen {
    std::set<ReadsFromPair> pairs;  // of this execution
    uint64_t combination = 0;       // a hash of them
    bool is_new = false;            // some of them have not been seen before
  };
  Seen add(const Observation& execution);

  const std::set<ReadsFromPair>& seen() const { return seen_; }
  // All that read and write the same location in some execution, those that have been seen among them. But
  // not those that a common lock protects, whose order follows from that of the locks.
  const std::vector<ReadsFromPair>& possible() const { return possible_; }
  // The statements that write what this one reads.
  const std::set<uint64_t>& writers(uint64_t read) const;

 private:
  void add_possible(const ReadsFromPair& pair);

  std::set<ReadsFromPair> seen_;
  std::vector<ReadsFromPair> possible_;
  std::set<ReadsFromPair> known_possible_;
  std::map<uint64_t, std::set<uint64_t>> writers_;
};

}  // namespace heddle
