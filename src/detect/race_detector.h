// RaceDetector: races by happens-before, each with whether reads-from (SHB) leaves it possible; use after
// free.
//
// Accesses that happens-before does not order are found by FastTrack's method (race_granule.h). SHB also
// orders a write before the reads of its value; it never orders less, so of the races found it takes some
// away. With it, an interval of a thread ends at every write as well.
//
// Freeing an object is an access to all of it, the last one: what is not ordered before races with it, and
// what comes after uses memory that is gone.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "detect/detector.h"
#include "detect/pair_table.h"
#include "detect/race_granule.h"
#include "detect/relevance.h"
#include "detect/shadow.h"
#include "detect/thread_order.h"

namespace heddle::detect {

class RaceDetector final : public Detector {
 public:
  RaceDetector(const trace::EventStream& stream, bool with_reads_from, size_t most_findings,
               Relevances relevances = {});

  void add(std::span<const trace::EventRecord> events, uint64_t first) override;
  void finish(Detections& found) override;
  uint64_t bytes() const override;

 private:
  // An access with what a report says of it.
  struct SeenAccess : PastAccess {
    static constexpr uint8_t kUpdates = 8;  // reads and writes in one

    uint32_t thread;
    uint32_t site;
    uint32_t context;
    uint32_t reads_from_clock;  // its interval in SHB

    bool same_interval(const SeenAccess& other) const {
      return epoch == other.epoch && reads_from_clock == other.reads_from_clock;
    }
  };
  using Cell = Granule<SeenAccess>;

  // Lists that have become too long for their granule.
  class Room {
   public:
    SeenAccess* allocate(uint32_t count);
    void free(SeenAccess* list, uint32_t count);
    uint64_t bytes() const { return bytes_; }

   private:
    std::array<std::vector<SeenAccess*>, 32> free_;  // by the logarithm of their size
    std::vector<std::unique_ptr<SeenAccess[]>> all_;
    uint64_t bytes_ = 0;
  };

  // The writes whose values are in a granule now.
  struct LastWrite {
    uint8_t bytes = 0;
    ThreadOrder::Message message;
  };
  struct LastWrites {
    std::vector<LastWrite> writes;
  };

  struct Freed {
    Side by;
    Epoch epoch;
    Epoch reads_from;  // in SHB
  };

  void access(const trace::EventRecord& event, uint64_t number);
  void compare(const trace::EventRecord& event, uint64_t number);
  void free(const trace::EventRecord& event, uint64_t number);
  bool is_freed(uint32_t object) const { return object < freed_flags_.size() && freed_flags_[object] != 0; }
  void use_of_freed(const trace::EventRecord& event, uint64_t number);
  void read_from(const trace::EventRecord& event);
  void write_to(const trace::EventRecord& event);
  Side side_of_past(const SeenAccess& past, uint64_t granule) const;
  bool is_certain(const SeenAccess& past, uint32_t thread);

  bool with_reads_from_;
  const Relevances relevances_;
  ThreadOrder order_{Relation::kHappensBefore};
  ThreadOrder reads_from_{Relation::kWithReadsFrom};
  Shadow<Cell> cells_;
  Room room_;
  Shadow<LastWrites> last_writes_;
  uint64_t last_write_count_ = 0;  // that the lists in there have room for
  std::vector<uint8_t> freed_flags_;
  std::unordered_map<uint32_t, Freed> freed_;
  PairTable races_;
  PairTable uses_after_free_;
};

}  // namespace heddle::detect
