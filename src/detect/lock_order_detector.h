// LockOrderDetector: rings of threads that can come to wait for each other's locks (Goodlock; iGoodlock, PLDI
// 2009, section 2.2).
//
// A *dependency* is a thread that takes a lock while it holds others. A cycle is a ring of dependencies of
// different threads, each wanting a lock that the next one holds. It is reported only if it can come to pass:
//   * no lock that two of them hold keeps them apart (a gate lock),
//   * the must-order (fork, join, notify …, see thread_order.h) leaves the acquisitions unordered,
//   * each waits for good: attempts and locks with a time limit are never waited at, only held; readers do
//   not
//     wait for readers; an inner lock of a recursive mutex is no lock at all.
#pragma once

#include <cstdint>
#include <map>
#include <unordered_map>
#include <utility>
#include <vector>

#include "detect/detector.h"
#include "detect/held_locks.h"
#include "detect/lock_sets.h"
#include "detect/thread_order.h"
#include "support/rings.h"
#include "trace/event_stream.h"

namespace heddle::detect {

class LockOrderDetector final : public Detector {
 public:
  static constexpr size_t kLongestCycle = 8;
  // Of the search at the end; a second or two. Shorter cycles are searched for first.
  static constexpr uint64_t kMostSteps = 20'000'000;

  LockOrderDetector(const trace::EventStream& stream, size_t most_findings)
      : stream_(stream), most_(most_findings) {}

  void add(std::span<const trace::EventRecord> events, uint64_t first) override;
  void finish(Detections& found) override;
  uint64_t bytes() const override;

 private:
  // One time at which a dependency was seen.
  struct Instance {
    Epoch epoch;
    ClockVector known;
    Side wanted;
    std::vector<HeldLocks::Held> held;
  };
  struct Dependency {
    uint32_t thread = 0;
    uint32_t wanted = 0;  // a member as of LockSets
    uint32_t wanted_object = 0;
    LockSets::Set held = LockSets::kEmpty;
    std::vector<Instance> instances;  // the first ones and the last, not ordered alike
  };
  struct Key {
    uint32_t thread, wanted, held;
    bool operator==(const Key&) const = default;
  };
  struct KeyHash {
    size_t operator()(const Key& key) const {
      return ((key.thread * 0x9e3779b97f4a7c15ull ^ key.wanted) * 0x9e3779b97f4a7c15ull ^ key.held) *
             0xff51afd7ed558ccdull;
    }
  };

  void acquire(const trace::EventRecord& event, uint64_t number);
  void keep_relevant();
  class Graph;
  using Search = RingSearch<Graph>;
  using Ring = std::vector<uint32_t>;  // of dependencies; each waits for the next
  enum class Choice { kNone, kFound, kNoSteps };
  Choice choose_instances(const Ring& ring, std::vector<const Instance*>& chosen, Search& search);
  void report(const Ring& ring, const std::vector<const Instance*>& chosen);
  bool holds_against(const Dependency& holder, uint32_t wanted) const;
  static bool concurrent(const Instance& a, const Instance& b);

  const trace::EventStream& stream_;
  LockSets sets_;
  HeldLocks held_{sets_};
  ThreadOrder order_{Relation::kMustOrder};
  std::unordered_map<Key, uint32_t, KeyHash> index_;
  std::vector<Dependency> dependencies_;
  uint64_t instances_ = 0;

  // The search.
  std::vector<uint32_t> relevant_;              // dependencies within a cycle of locks
  std::vector<std::vector<uint32_t>> by_held_;  // lock → those of them that hold it
  size_t most_;
  uint64_t left_out_ = 0;
  using Sites = std::vector<std::pair<uint32_t, uint32_t>>;
  struct Listed {
    uint64_t locks;
    size_t number;  // of the cycle
  };
  std::map<Sites, std::vector<Listed>> by_sites_;
  std::vector<LockOrderCycle> cycles_;
};

}  // namespace heddle::detect
