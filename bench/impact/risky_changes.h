// Changes to the synchronisation of a project of the kinds that make regressions: those of the mutants of
// bench/select and more.
//
//   lock split        lock_guard lock(m); a(); b();     unique_lock lock(m); a(); lock.unlock(); lock.lock();
//   b(); lock order        lock_guard a(m); lock_guard b(n); lock_guard b(n); lock_guard a(m); notify added
//   at the beginning of a function of the class that has the condition join moved        before the statement
//   before it, or to the end of its block order weakened    memory_order_release memory_order_relaxed check
//   moved out   lock_guard lock(m); if (c) …      bool checked = c; lock_guard lock(m); if (checked) … read
//   cached       lock_guard lock(m); f(x_);        auto cached = x_; lock_guard lock(m); f(cached);
//
// They are made of tokens, not of types: one may not compile, and who uses it must see to that.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "mutator.h"

namespace heddle::bench {

enum class RiskyKind : uint8_t {
  kLockRemoved,
  kLockNarrowed,
  kLockSplit,
  kLockReplaced,
  kLockOrderSwapped,
  kNotifyAdded,
  kNotifyRemoved,  // or notify_one for notify_all
  kJoinMoved,
  kAtomicMadePlain,
  kOrderWeakened,
  kCheckMovedOut,
  kReadCached,
};
inline constexpr std::array kRiskyKinds{
    RiskyKind::kLockRemoved,   RiskyKind::kLockNarrowed,     RiskyKind::kLockSplit,
    RiskyKind::kLockReplaced,  RiskyKind::kLockOrderSwapped, RiskyKind::kNotifyAdded,
    RiskyKind::kNotifyRemoved, RiskyKind::kJoinMoved,        RiskyKind::kAtomicMadePlain,
    RiskyKind::kOrderWeakened, RiskyKind::kCheckMovedOut,    RiskyKind::kReadCached};
const char* to_text(RiskyKind kind);

struct RiskyChange {
  RiskyKind kind = RiskyKind::kLockRemoved;
  Mutant mutant;  // its own kind means nothing

  std::string name() const;
};

// All that there are, of sources and headers; joins may be moved in tests, nothing else.
std::vector<RiskyChange> make_risky(const SourceTexts& sources);
// The same in an order of which every beginning has each kind equally often, as far as there are enough.
std::vector<RiskyChange> mixed(std::vector<RiskyChange> changes, uint64_t seed);

}  // namespace heddle::bench
