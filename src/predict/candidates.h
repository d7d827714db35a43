// Candidates: accesses that would be one of the fourteen patterns, or another cycle of two units, if they
// could be executed in that order.
//
// A thread's *pair* is two accesses of one unit of work. For one location they are consecutive (or
// consecutive writes): if something came between two accesses further apart, it came between two consecutive
// ones, and that is a pattern as well. For two locations they are consecutive among the accesses of that kind
// to these two, for the same reason. Pairs are matched with single accesses or pairs of other threads. Pairs
// at the same sites are one group, of which the first and the last few are kept, so that a loop of a million
// rounds costs little more than one of ten.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "predict/accesses.h"
#include "predict/focus.h"
#include "predict/patterns.h"
#include "predict/witness_search.h"

namespace heddle {

struct Candidate {
  uint32_t pattern = 0;  // 0: a cycle that is none of them
  uint32_t group = 0;    // equal for candidates of one pattern at the same sites
  size_t set = 0;        // in Accesses
  EventIndex begin = 0;  // see WitnessSearch::begin_of
  uint32_t length = 0;
  std::array<EventIndex, 4> events{};  // in the order that makes the trouble

  std::span<const EventIndex> order() const { return std::span(events).first(length); }
  // Events of the trace from its beginning to its end.
  uint64_t span() const { return *std::max_element(events.begin(), events.begin() + length) - begin + 1; }
};

class CandidateFinder {
 public:
  // A pair for two locations is looked for among so many accesses (to different locations, or of different
  // kind) of the unit before.
  static constexpr size_t kWindow = 8;
  // Groups of one set that are matched with each other. More have only sets that are no sets in truth.
  static constexpr size_t kMostMatches = 1 << 14;
  // The same pattern at the same sites is tried so often.
  static constexpr uint32_t kMostOfGroup = 24;
  static constexpr size_t kMostCandidates = 1 << 20;

  struct Options {
    bool atomic_reads = false;  // also patterns with atomic reads
    const Focus& focus;
  };
  // All must outlive this.
  CandidateFinder(const Accesses& accesses, const WitnessSearch& witnesses, const Options& options);

  // The accesses of set number `set`, with their units.
  void search(size_t set, std::span<const Access> accesses);

  std::vector<Candidate>& candidates() { return candidates_; }
  uint32_t groups() const { return static_cast<uint32_t>(group_sizes_.size()); }
  // Combinations that would be a candidate if locks did not exclude it.
  uint64_t explored() const { return explored_; }
  uint64_t crowded_sets() const { return crowded_sets_; }
  uint64_t atomic_reads_left_out() const { return atomic_reads_left_out_; }
  bool is_full() const { return candidates_.size() == kMostCandidates; }

 private:
  // One access, or two of a unit; indices into the set's.
  struct Instance {
    uint32_t first = 0;
    uint32_t second = 0;
  };
  struct Group {
    static constexpr uint32_t kFirst = 3;
    static constexpr uint32_t kKept = 6;  // the first three and the last three

    uint64_t place = 0;  // the location, or both in ascending order
    uint32_t seen = 0;
    bool only_for_reads = false;
    bool in_focus = false;
    std::array<Instance, kKept> instances{};

    uint32_t size() const { return seen < kKept ? seen : kKept; }
    void add(Instance instance);
  };
  // Groups by a hash of what is equal in one.
  class Groups {
   public:
    void clear();
    Group& find(uint64_t hash);
    std::vector<Group>& all() { return groups_; }

   private:
    struct Slot {
      uint64_t hash = 0;
      uint32_t round = 0;
      uint32_t group = 0;
    };
    void grow();

    std::vector<Slot> slots_ = std::vector<Slot>(256);
    uint32_t round_ = 1;
    std::vector<Group> groups_;
  };

  void find_locations_in_question();
  void find_pairs();
  void find_singles();
  bool is_alike(const Access& a, const Access& b) const;
  bool in_focus(const Access& access) const { return options_.focus.includes(access.event); }
  void add_pair(Groups& groups, uint32_t first, uint32_t second, bool only_for_reads);
  void match_singles();
  void match_wide_pairs();
  void match_single(const Group& pairs, std::span<const uint32_t> singles);
  void match_pair(const Group& pairs, const Group& others);
  void try_single(Instance pair, uint32_t other);
  void try_pair(Instance pair, Instance other);
  void try_order(std::span<const uint32_t> order, std::span<const PatternStep> steps);
  bool reads_atomically(std::span<const uint32_t> order, std::span<const PatternStep> steps) const;
  bool comes_after_write(std::span<const uint32_t> order, size_t i) const;
  bool would_compare_unequal(std::span<const uint32_t> order) const;
  bool locks_exclude(std::span<const uint32_t> order) const;
  bool held_between_excludes(const Access& from, const Access& to, const Access& other) const;

  const Accesses& all_;
  const WitnessSearch& witnesses_;
  const Options options_;
  size_t set_ = 0;
  std::span<const Access> accesses_;
  std::vector<bool> in_question_;  // by access: somebody in focus uses its location
  Groups pairs_;                   // of one location
  Groups wide_pairs_;              // of two
  // Accesses to the locations of pairs, those that are alike together: a run of them. Runs come in the order
  // of locations, then threads.
  std::vector<uint32_t> singles_;
  struct Run {
    uint32_t location = 0;
    uint32_t thread = 0;
    bool in_focus = true;
    size_t begin = 0;  // in singles_
    size_t end = 0;
  };
  std::vector<Run> runs_;
  std::vector<Candidate> candidates_;
  std::unordered_map<uint64_t, uint32_t> group_numbers_;
  std::vector<uint32_t> group_sizes_;
  uint64_t explored_ = 0;
  uint64_t crowded_sets_ = 0;
  uint64_t atomic_reads_left_out_ = 0;
};

}  // namespace heddle
