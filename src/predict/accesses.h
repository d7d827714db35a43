// Accesses: what a trace does to memory that threads share, set by set.
//
// One walk over the trace finds the locations that several threads use and at least one writes, another one
// the accesses to them, with the activation and the locked region they are in; sets that nobody in focus
// touches are passed over. A location is what accesses within one
// granule of eight bytes touch together, so that neighbouring fields are two, and a field that is read whole
// and written in halves is one.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "predict/activations.h"
#include "predict/atomic_sets.h"
#include "predict/focus.h"
#include "predict/trace_model.h"

namespace heddle {

struct Access {
  enum Does : uint8_t {
    kReads = 1,
    kWrites = 2,
    kCompares = 4,  // an update that happens only if nothing came between
    kIsAtomic = 8,
  };

  EventIndex event = 0;
  uint32_t thread = 0;
  uint32_t site = 0;
  uint32_t location = 0;
  uint32_t activation = 0;  // in Activations
  uint32_t region = 0;      // odd: in a locked region of its thread, else between two; numbered in its thread
  uint32_t lockset = 0;     // see TraceModel::lockset_at
  uint32_t unit = 0;        // see units.h; of the set it is in
  uint8_t bytes = 0;        // of the location's granule, a bit for each
  uint8_t does = 0;

  bool reads() const { return (does & kReads) != 0; }
  bool writes() const { return (does & kWrites) != 0; }
  bool is_atomic() const { return (does & kIsAtomic) != 0; }
  bool is_update() const { return reads() && writes(); }
  bool overlaps(const Access& other) const {
    return location == other.location && (bytes & other.bytes) != 0;
  }
  bool conflicts_with(const Access& other) const {
    return overlaps(other) && thread != other.thread && (writes() || other.writes());
  }
};

// What a thread does that lets others go on with what it has done so far, or makes it wait for what they do:
// nobody expects that nothing comes between.
bool hands_over(trace::EventKind kind);

class Accesses {
 public:
  // A block operation touches at most so many granules; the rest of it is left out.
  static constexpr uint64_t kGranulesOfBlock = 64;

  // All must outlive this.
  Accesses(const TraceModel& model, const Variables& variables, const SourceFrames& source,
           const Focus& focus = {});

  // Those in focus.
  size_t sets() const { return begins_.size() - 1; }
  size_t size() const { return accesses_.size(); }
  // Of one set, in the order of the trace.
  std::span<Access> of_set(size_t i) {
    return std::span(accesses_).subspan(begins_[i], begins_[i + 1] - begins_[i]);
  }
  const AtomicSet& set(size_t i) const { return atomic_sets_[numbers_[i]]; }

  const TraceModel& model() const { return model_; }
  const Activations& activations() const { return activations_; }
  // The events at which a thread hands over, in order.
  std::span<const EventIndex> handovers(uint32_t thread) const { return handovers_[thread]; }
  bool has_contexts() const { return has_contexts_; }

  // At its most: while the accesses were sorted.
  uint64_t memory_bytes() const { return memory_bytes_; }
  uint64_t large_objects() const { return atomic_sets_.large_objects(); }
  uint64_t cut_blocks() const { return cut_blocks_; }  // block operations of which something was left out

 private:
  // Who has touched a location of the model, and which of its bytes together.
  struct Granule {
    uint32_t object = 0;
    uint32_t first_thread = 0;
    uint64_t offset = 0;
    uint32_t location = 0;  // of its first byte
    bool is_used = false;
    bool is_shared = false;
    bool is_written = false;
    bool is_wanted = false;  // one of its locations is of a set in focus
    uint8_t edges = 0;       // bit i: a single access begins or ends before byte i
    uint8_t joined = 0;      // bit i: a single access touches bytes i-1 and i

    bool matters() const { return is_shared && is_written; }
    // Bit i: another location begins at byte i.
    uint8_t borders() const { return edges & ~joined & 0xfe; }
  };

  void find_granules();
  void number_locations(const Focus& focus);
  void walk();
  void sort_by_set();
  std::span<const TraceModel::Part> parts_of(EventIndex event) const {
    const std::span<const TraceModel::Part> parts = model_.parts_of(event);
    return parts.first(std::min<size_t>(parts.size(), kGranulesOfBlock));
  }
  template <typename Action>
  static void for_each_location(const Granule& granule, uint8_t bytes, Action&& action);
  template <typename Action>
  void for_each_wanted(Action&& action) const;

  const TraceModel& model_;
  AtomicSets atomic_sets_;
  Activations activations_;
  std::vector<Granule> granules_;  // by location of the model
  std::vector<uint32_t> set_of_location_;
  std::vector<bool> in_focus_;  // by set
  std::vector<Access> accesses_;
  std::vector<size_t> begins_;
  std::vector<uint32_t> numbers_;  // of the sets, in atomic_sets_
  std::vector<std::vector<EventIndex>> handovers_;
  bool has_contexts_ = false;
  uint64_t cut_blocks_ = 0;
  uint64_t memory_bytes_ = 0;
};

}  // namespace heddle
