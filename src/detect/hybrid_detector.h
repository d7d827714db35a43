// HybridDetector: pairs of accesses that some schedule may execute side by side (RaceFuzzer, PLDI 2008,
// section 3.1, after O'Callahan and Choi, PPoPP 2003).
//
// Two conflicting accesses of different threads are such a pair if no lock that both hold keeps them apart
// and the must-order (thread_order.h) leaves them unordered. Not every pair is possible: the order may be
// enforced by values. So these are candidates, to be verified by execution.
//
// For each location the last of every kind of access is remembered (thread, place, locks held), up to
// kHistory of them, so that a pair is not lost when many places use one location.
#pragma once

#include <vector>

#include "detect/detector.h"
#include "detect/held_locks.h"
#include "detect/lock_sets.h"
#include "detect/pair_table.h"
#include "detect/relevance.h"
#include "detect/shadow.h"
#include "detect/thread_order.h"

namespace heddle::detect {

class HybridDetector final : public Detector {
 public:
  // Enough for eight threads at four places; they give way in the order in which they came.
  static constexpr uint32_t kHistory = 32;

  HybridDetector(const trace::EventStream& stream, size_t most_findings, Relevances relevances = {})
      : relevances_(relevances), found_(stream, most_findings) {}

  void add(std::span<const trace::EventRecord> events, uint64_t first) override;
  void finish(Detections& found) override;
  uint64_t bytes() const override;

 private:
  struct Entry {
    uint32_t thread = 0;
    uint32_t site = 0;
    LockSets::Set held = LockSets::kEmpty;
    trace::EventKind kind = trace::EventKind::kNone;
    uint8_t bytes = 0;
    bool writes = false;
    bool atomic = false;
    bool wanted = true;
    uint32_t context = 0;
    uint32_t compared = 0;  // value of Cell::changes when it was last compared with the others
    Epoch epoch;
    uint64_t event = 0;

    bool same_kind(const Entry& other) const {
      return site == other.site && thread == other.thread && held == other.held && kind == other.kind &&
             bytes == other.bytes && writes == other.writes && wanted == other.wanted;
    }
    // Equal for the same kind, and odd if it is wanted. Entries are found by it: to look at all of them takes
    // a cache miss for each.
    uint32_t tag() const {
      const uint64_t place = uint64_t{site} << 32 | thread;
      const uint64_t how =
          uint64_t{held} << 32 | uint64_t{bytes} << 16 | uint64_t{static_cast<uint8_t>(kind)} << 8 | writes;
      const uint64_t hash = ((place * 0x9e3779b97f4a7c15ull) ^ how) * 0xff51afd7ed558ccdull;
      return static_cast<uint32_t>(hash >> 32 & ~uint64_t{1}) | (wanted ? 1 : 0);
    }
    bool conflicts_with(const Entry& other) const {
      return thread != other.thread && (bytes & other.bytes) != 0 && (writes || other.writes) &&
             !(atomic && other.atomic);
    }
  };
  struct Cell {
    std::vector<uint32_t> tags;  // of entries
    std::vector<Entry> entries;
    uint32_t next = 0;                             // to give way
    LockSets::Set always_held = LockSets::kEmpty;  // by all entries so far
    uint32_t changes = 0;                          // counts new entries, and intervals new to an entry
    uint32_t wanted = 0;                           // so many entries are
  };

  void prefetch(std::span<const trace::EventRecord> events, size_t index, uint64_t first) const;
  void access(const trace::EventRecord& event, uint64_t number);
  void compare(Cell& cell, Entry& now, uint32_t object, uint64_t granule);

  const Relevances relevances_;
  LockSets sets_;
  HeldLocks held_{sets_};
  ThreadOrder order_{Relation::kMustOrder};
  Shadow<Cell> cells_;
  uint64_t entries_ = 0;
  PairTable found_;
};

}  // namespace heddle::detect
