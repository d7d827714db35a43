// What locks say about two accesses: whether they can come next to each other, or one between others.
#pragma once

#include <algorithm>

#include "generate/call_footprint.h"

namespace heddle::generate {

// Both inside critical sections of one lock that exclude each other.
inline bool exclude_each_other(const CallAccess& one, const CallAccess& other) {
  for (const HeldLock& a : one.held) {
    for (const HeldLock& b : other.held) {
      if (a.lock == b.lock && !(a.shared && b.shared)) return true;
    }
  }
  return false;
}

// Some lock is held from one access to the next, and by the intruder.
inline bool is_kept_out(const CallAccess& first, const CallAccess& second, const CallAccess& intruder) {
  for (const HeldLock& a : first.held) {
    const auto same = std::find(second.held.begin(), second.held.end(), a);
    if (same == second.held.end()) continue;
    for (const HeldLock& b : intruder.held) {
      if (a.lock == b.lock && !(a.shared && b.shared)) return true;
    }
  }
  return false;
}

}  // namespace heddle::generate
