// Conflict serializability of what happened: is there an order of the units of work, one after the other,
// that keeps the order of all conflicting accesses to an atomic set?
//
// AeroDrome (Mathur and Viswanathan, ASPLOS 2020): one pass, vector clocks, no graph. A unit has a clock of
// all units that come before it; one that would have to come before itself closes a cycle. Only accesses to
// the set and program order count, not locks, forks or joins: what is judged is the data.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "predict/accesses.h"
#include "predict/index_table.h"

namespace heddle {

// Accesses of two units of a cycle. `later` is the one that shows it: it conflicts with `earlier`, or it ends
// its unit, and then `earlier` is the last access so far of one that has come to be before and after it.
struct UnitCycle {
  EventIndex earlier = kNoEvent;
  EventIndex later = kNoEvent;
};

class SerializabilityChecker {
 public:
  // Clocks of a set need at most so many numbers; a set that is used by more threads is not checked.
  static constexpr uint64_t kMostNumbers = uint64_t{1} << 26;

  // The accesses of one set, in the order of the trace, with their units. An access that closed a cycle does
  // not count as ordered after what it conflicts with, so that not all that follows is one cycle.
  std::vector<UnitCycle> check(std::span<const Access> accesses);

  uint64_t skipped_sets() const { return skipped_sets_; }
  uint64_t memory_bytes() const;

 private:
  using Time = uint32_t;
  struct Thread {
    Time begin = 0;  // of its unit: its own number in its clock since then
    bool is_active = false;
    EventIndex last = kNoEvent;
    uint32_t left = 0;                // accesses of the unit yet to come
    std::vector<uint32_t> to_update;  // cells that may have to know what the unit has come to know at its end
  };
  struct Reader {
    uint32_t thread = 0;
    EventIndex event = kNoEvent;
  };
  struct Cell {
    uint32_t writer = UINT32_MAX;
    EventIndex write = kNoEvent;
    std::vector<Reader> readers;  // the last read of each thread
  };

  bool prepare(std::span<const Access> accesses);
  void cells_of(const Access& access);
  void begin(uint32_t thread, uint32_t accesses);
  void end(uint32_t thread);
  void read(uint32_t thread, uint32_t cell);
  void write(uint32_t thread, uint32_t cell);
  void learn(uint32_t thread, const Time* clock, EventIndex from);
  void remember(uint32_t thread, uint32_t cell);

  Time* clock_of(uint32_t thread) { return &clocks_[uint64_t{thread} * width_]; }
  Time* written(uint32_t cell) { return &cell_clocks_[uint64_t{cell} * 3 * width_]; }
  Time* was_read(uint32_t cell) { return written(cell) + width_; }
  // The same, but without what a thread knows of itself.
  Time* was_read_by_others(uint32_t cell) { return written(cell) + uint64_t{2} * width_; }

  size_t width_ = 0;                 // threads that use the set
  std::vector<uint32_t> thread_of_;  // by access
  std::vector<uint32_t> unit_sizes_;
  std::vector<Thread> threads_;
  std::vector<Cell> cells_;
  std::vector<uint8_t> bytes_of_;  // by location number: those of its accesses; 0 if they differ
  std::vector<Time> clocks_;
  std::vector<Time> cell_clocks_;
  std::vector<Time> listed_;  // by cell and thread: Thread::begin of the unit that has it in to_update
  IndexTable locations_;
  std::vector<uint32_t> touched_;  // cells of the current access
  EventIndex now_ = kNoEvent;
  std::vector<UnitCycle> cycles_;
  uint64_t skipped_sets_ = 0;
};

}  // namespace heddle
