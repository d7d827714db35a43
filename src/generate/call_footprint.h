// CallFootprint: what one call does to memory, locks and waiters, seen while it ran alone.
//
// Sites, locations and locks are keys that mean the same in every execution of one driver, so footprints of
// different executions can be compared: an access is what ALGORITHMS section 6 calls coverage (site, read or
// write, field, lockset, calling context from the method on). That of a heap object is where it was allocated
// and the offset; elements of large arrays are one location.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "trace/trace.h"

namespace heddle::generate {

struct HeldLock {
  uint64_t lock = 0;
  uint32_t section = 0;  // number of the critical section within the call; 0: it began before
  bool shared = false;

  auto operator<=>(const HeldLock&) const = default;
};

struct CallAccess {
  uint64_t place = 0;  // site and calling context
  uint64_t location = 0;
  bool writes = false;
  bool atomic = false;
  std::vector<HeldLock> held;  // sorted by lock

  auto operator<=>(const CallAccess&) const = default;
};

// A lock that was taken while another one was held.
struct NestedLock {
  uint64_t outer = 0;
  uint64_t inner = 0;
  uint64_t place = 0;           // where it was taken
  std::vector<uint64_t> gates;  // further locks that were held then, other than shared; sorted

  auto operator<=>(const NestedLock&) const = default;
};

struct CallFootprint {
  std::vector<CallAccess> accesses;  // each once, in the order of their first execution
  std::vector<NestedLock> nested;    // sorted
  std::vector<uint64_t> waits;       // conditions, futexes and semaphores that were waited for; sorted
  std::vector<uint64_t> wakes;       // … and notified or posted

  // Of everything above but the order; sorted.
  std::vector<uint64_t> coverage() const;
  // Equal for calls that do the same.
  uint64_t signature() const;
};

// Tells which events belong to which call of a plan. A driver's harness calls each operation by a function of
// its own (driver_source.h); the last outermost of these on the stack is the operation.
class CallLocator {
 public:
  virtual ~CallLocator() = default;
  // Whether a call site is that of an operation's function or within it.
  virtual bool is_operation(const trace::Trace& trace, uint32_t site) = 0;
  // Equal for the same code, also where it is part of different operations' functions.
  virtual uint64_t site_key(const trace::Trace& trace, uint32_t site) = 0;
  // The call whose beginning this event marks; -1 if it does not.
  virtual int64_t marked_call(const trace::Trace& trace, const trace::EventRecord& event) = 0;
};

// Of the last call of an execution with all events (kRecordAll) and one thread.
CallFootprint read_last_call(const trace::Trace& trace, CallLocator& locator);

}  // namespace heddle::generate
