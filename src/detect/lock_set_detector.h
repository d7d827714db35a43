// LockSetDetector: memory that no lock protects throughout (Eraser, SOSP 1997, section 2).
//
// A location begins exclusive to the thread that first uses it, is shared once another reads it, and modified
// when another writes it. From then on the locks held at every access are its candidates; when none is left
// and it is modified, that is reported, once for each location. What orders threads by other means is unknown
// to this method, so hand-overs are reported as well.
//
// Reader-writer locks count for a read in either mode, for a write only if held for writing (section 2.3).
// Atomic accesses hold a lock of their own.
#pragma once

#include <memory>
#include <vector>

#include "detect/detector.h"
#include "detect/held_locks.h"
#include "detect/lock_sets.h"
#include "detect/pair_table.h"
#include "detect/shadow.h"

namespace heddle::detect {

class LockSetDetector final : public Detector {
 public:
  LockSetDetector(const trace::EventStream& stream, size_t most_findings) : found_(stream, most_findings) {}

  void add(std::span<const trace::EventRecord> events, uint64_t first) override;
  void finish(Detections& found) override;
  uint64_t bytes() const override;

 private:
  enum class State : uint8_t { kVirgin, kExclusive, kShared, kModified, kReported };

  struct Access {
    uint64_t event = 0;
    uint32_t thread = 0;
    uint32_t site = 0;
    uint32_t context = 0;
    uint32_t size = 0;
    uint32_t reach = 0;  // bytes from where it begins to the end of the granule
    trace::EventKind kind = trace::EventKind::kNone;
  };
  // Bytes of a granule that were used together.
  struct Location {
    uint8_t bytes = 0;
    State state = State::kVirgin;
    LockSets::Set candidates = LockSets::kEmpty;
    Access last;
    Access other;  // the last one by another thread than `last`
  };
  struct Cell {
    Location first;
    std::unique_ptr<std::vector<Location>> more;
  };

  void access(const trace::EventRecord& event, uint64_t number, bool write, bool atomic);
  void visit(Location& location, const trace::EventRecord& event, uint64_t number, uint64_t granule,
             LockSets::Set held, bool write);
  void report(Location& location, const trace::EventRecord& event, uint64_t number, uint64_t granule);

  LockSets sets_;
  HeldLocks held_{sets_};
  Shadow<Cell> cells_;
  uint64_t split_ = 0;  // locations in `more`
  PairTable found_;
};

}  // namespace heddle::detect
