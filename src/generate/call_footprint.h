// CallFootprint: what one call does to memory, locks and waiters, seen while it ran alone.
//
// Sites, locations and locks are keys that mean the same in every execution of one driver, so footprints of
// different executions can be compared. There are two views of an access:
//   exact     the instruction, and the byte: what could go wrong between two calls is a question of these
//             (conflicts.h). A heap object is where it was allocated, and its size.
//   coverage  what ALGORITHMS section 6 calls so: (site, read or write, field, lockset, calling context from
//             the method on) of the class. What a library does for the class is done where the class calls
//             it, and all that libraries hold is one field: how many elements there are, and where, is not
//             the class's doing. Nor is what the driver does with arguments and results. The second object of
//             the class has the fields of the first.
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
  uint64_t site = 0;   // alone
  uint64_t object = 0;
  uint64_t offset = 0;    // in it, as far as it has fields
  uint64_t size = 0;      // of what is accessed
  uint64_t location = 0;  // object and offset
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
  std::vector<uint64_t> coverage;    // keys of what it has covered of the class; sorted

  // Of everything else but the order, exactly; sorted.
  std::vector<uint64_t> exact_keys() const;
  // Equal for calls with equal exact keys.
  uint64_t signature() const;
};

// What the code at a site is; within an operation's function, without that function.
struct SiteKeys {
  uint64_t exact = 0;          // equal for the same code, also where it is part of several operations
  uint64_t code = 0;           // of the frames that are the program's own; 0: there are none
  uint64_t innermost = 0;      // of the innermost of these
  bool is_in_library = false;  // the innermost of all is not
  bool is_driver = false;      // it is heddle that does this, with arguments and results
  bool is_of_caller = false;   // some frame has the operation's expression: what is outside of it is heddle's
};

// One of the objects under test that a driver has.
struct ObjectPart {
  enum class Of : uint8_t { kNeither, kObject, kOther };
  Of of = Of::kNeither;
  uint64_t offset = 0;
};

// Tells which events belong to which call of a plan. A driver's harness calls each operation by a function of
// its own (driver_source.h); the last outermost of these on the stack is the operation.
class CallLocator {
 public:
  virtual ~CallLocator() = default;
  // Whether a call site is that of an operation's function or within it.
  virtual bool is_operation(const trace::Trace& trace, uint32_t site) = 0;
  virtual SiteKeys keys(const trace::Trace& trace, uint32_t site) = 0;
  // What part of the objects under test an event's location is, if those are global.
  virtual ObjectPart part_of_object(const trace::Trace& trace, const trace::EventRecord& event) = 0;
  // Whether a location among the globals is a variable of the program's own, and not a constant or a table.
  virtual bool is_variable(const trace::Trace& trace, const trace::EventRecord& event) = 0;
  // The call whose beginning this event marks; -1 if it does not.
  virtual int64_t marked_call(const trace::Trace& trace, const trace::EventRecord& event) = 0;
};

// Of the last call of an execution with all events (kRecordAll) and one thread.
CallFootprint read_last_call(const trace::Trace& trace, CallLocator& locator);

}  // namespace heddle::generate
