// Impact: which events of the head's trace can take part in interleavings that the base does not have
// (RECONTEST; ALGORITHMS section 5). docs/impact.md says what was decided where the paper is silent.
//
//   ComparableTrace ─▶ alignment ─▶ ConcurrencyContext of both ─▶ reasons
//
// Each trace is read once, the base's first. The main loops are ImpactAnalysis::read_base() and read_head().
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "impact/comparable_trace.h"
#include "impact/concurrency_context.h"
#include "trace/trace.h"

namespace heddle {

enum class ImpactReason : uint8_t {
  kNewCode,       // its statement is new, or is not what it was
  kNewlyReached,  // the base does not come here, or not with this memory
  kAccessKind,    // atomic became plain, or its memory order is weaker
  kLockset,       // other locks are held
  kLockOrder,     // of an acquisition: it is made with other locks held
  kLockReleased,  // a lock that it is under was let go since an access that was in the same critical section
  kOrdering,      // other messages (start, join, notify, wait, post …) order it with other threads
};

// "new-code", "newly-reached" …, as in --json.
const char* to_text(ImpactReason reason);

inline constexpr uint64_t kNoPartner = ~uint64_t{0};

struct ImpactedEvent {
  uint64_t event = 0;             // of the head, an index into Trace::events
  uint64_t partner = kNoPartner;  // the event of the base that it corresponds to
  uint32_t context = 0;           // in SideOfImpact::contexts of the head
  uint32_t partner_context = 0;   // of the base, if there is a partner
  ImpactReason reason = ImpactReason::kNewCode;
};

// A message that a thread sent or received.
struct ThreadMessage {
  uint64_t event = 0;
  uint64_t partner = kNoPartner;  // of the head: the event of the base that is the same message
};

// What the reasons speak of, in one of the traces.
struct SideOfImpact {
  ContextTracker contexts;
  std::unordered_map<uint64_t, uint64_t> lock_events;  // by lock: one of its acquisitions
  std::vector<std::vector<ThreadMessage>> messages;    // by thread, in order
};

struct Impact {
  std::vector<ImpactedEvent> events;  // accesses, acquisitions, waits and notifications, in order
  // Accesses in the first part of a critical section that is now several, in order. They are as they were;
  // but others can now see what they leave behind, before the second part.
  std::vector<uint64_t> separated;
  SideOfImpact base;
  SideOfImpact head;
  uint64_t accesses = 0;  // of the head, all
  uint64_t impacted_accesses = 0;
  uint64_t compared = 0;      // events of the head that have a partner
  uint64_t memory_bytes = 0;  // at its most, besides the traces
};

Impact find_impact(const trace::Trace& base, const VersionNames& base_names, const trace::Trace& head,
                   const VersionNames& head_names);

}  // namespace heddle
