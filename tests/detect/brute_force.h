// The relations and races by their definitions: all pairs of events, and a transitive closure. No clocks.
#pragma once

#include <cstdint>
#include <set>
#include <utility>
#include <vector>

#include "trace/trace.h"

namespace heddle::detect {

class BruteForce {
 public:
  struct Relation {
    bool locks = true;        // unlock → later lock
    bool reads_from = false;  // write → read of it
  };
  BruteForce(const trace::Trace& trace, Relation relation);

  // Whether event a is ordered before b, by what is before b (so that b's own reads-from does not count).
  bool ordered_before(size_t a, size_t b) const;

  // Pairs of conflicting accesses of different threads, the earlier one first.
  static bool conflict(const trace::EventRecord& a, const trace::EventRecord& b);
  std::set<std::pair<uint64_t, uint64_t>> races() const;
  // Those of them that no common lock keeps apart.
  std::set<std::pair<uint64_t, uint64_t>> races_without_common_lock() const;

  // Whether threads can come to wait for each other in a ring of up to `longest`.
  bool has_cycle(size_t longest) const;

 private:
  struct Held {
    uint64_t offset;
    bool reading;
  };
  void add_edges(const Relation& relation);
  void add_barriers();
  void add_wakes();
  void add_release_sequences();
  bool is_fence_of(size_t event, size_t fence) const;
  void add_reads_from();
  void close();
  std::vector<Held> held_at(size_t event) const;
  bool extend_cycle(std::vector<size_t>& chain, size_t longest) const;

  const std::span<const trace::EventRecord> events_;
  std::vector<std::vector<bool>> before_;  // before_[a][b]: a is before b
  std::vector<int> previous_;              // event of the thread, or the fork of it; -1: none
};

}  // namespace heddle::detect
