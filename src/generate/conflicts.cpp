#include "generate/conflicts.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "generate/keys.h"
#include "generate/lock_rules.h"

namespace heddle::generate {
namespace {

constexpr uint32_t kRaceWeight = 8;
constexpr uint32_t kLockOrderWeight = 8;
constexpr uint32_t kIntrusionWeight = 3;
constexpr uint32_t kWakingWeight = 2;

// Pairs of accesses grow with the square, and those of long calls say the same again and again.
constexpr size_t kMostCompared = 96;

using Accesses = std::vector<const CallAccess*>;

bool conflict(const CallAccess& one, const CallAccess& other) {
  return one.location == other.location && (one.writes || other.writes);
}

// Accesses to locations on which the two calls conflict, each place and set of locks once.
Accesses relevant(const CallFootprint& one, const CallFootprint& other) {
  std::unordered_map<uint64_t, int> touched;  // location → 1 read, 2 written by the other
  for (const CallAccess& access : other.accesses) touched[access.location] |= access.writes ? 2 : 1;
  Accesses found;
  for (const CallAccess& access : one.accesses) {
    const auto at = touched.find(access.location);
    if (at == touched.end() || (!access.writes && (at->second & 2) == 0)) continue;
    if (found.size() == kMostCompared) break;
    found.push_back(&access);
  }
  return found;
}

class Finder {
 public:
  std::vector<Conflict> find(const CallFootprint& one, const CallFootprint& other) {
    const Accesses a = relevant(one, other);
    const Accesses b = relevant(other, one);
    find_races(a, b);
    find_intrusions(a, b);
    find_intrusions(b, a);
    if (!one.waits.empty()) find_changes_while_waiting(a, b);
    if (!other.waits.empty()) find_changes_while_waiting(b, a);
    find_lock_orders(one, other);
    find_waking(one, other);
    find_waking(other, one);
    std::sort(found_.begin(), found_.end());
    return std::move(found_);
  }

 private:
  void add(uint64_t key, uint32_t weight) {
    if (seen_.insert(key).second) found_.push_back({key, weight});
  }

  void find_races(const Accesses& a, const Accesses& b) {
    for (const CallAccess* one : a) {
      for (const CallAccess* other : b) {
        if (!conflict(*one, *other) || (one->atomic && other->atomic)) continue;
        if (exclude_each_other(*one, *other)) continue;
        add(mix(1, one->place ^ other->place), kRaceWeight);
      }
    }
  }

  void find_intrusions(const Accesses& unit, const Accesses& intruders) {
    for (size_t i = 0; i < unit.size(); ++i) {
      for (size_t j = i + 1; j < unit.size(); ++j) {
        for (const CallAccess* intruder : intruders) {
          if (!breaks(*unit[i], *unit[j], *intruder)) continue;
          if (is_kept_out(*unit[i], *unit[j], *intruder)) continue;
          add(mix(mix(mix(2, unit[i]->place), intruder->place), unit[j]->place), kIntrusionWeight);
        }
      }
    }
  }

  // Alone it makes each once, and nobody wakes it. Its lock is free meanwhile.
  void find_changes_while_waiting(const Accesses& waiter, const Accesses& intruders) {
    for (const CallAccess* access : waiter) {
      for (const CallAccess* intruder : intruders) {
        if (intruder->writes && intruder->location == access->location)
          add(mix(mix(5, access->place), intruder->place), kIntrusionWeight);
      }
    }
  }

  // Not under a lock that both hold: then only one of them can be there.
  void find_lock_orders(const CallFootprint& one, const CallFootprint& other) {
    for (const NestedLock& a : one.nested) {
      for (const NestedLock& b : other.nested) {
        if (a.outer != b.inner || a.inner != b.outer) continue;
        const bool is_gated = std::any_of(a.gates.begin(), a.gates.end(), [&](uint64_t gate) {
          return std::binary_search(b.gates.begin(), b.gates.end(), gate);
        });
        if (!is_gated) add(mix(3, a.place ^ b.place), kLockOrderWeight);
      }
    }
  }

  static bool breaks(const CallAccess& first, const CallAccess& second, const CallAccess& intruder) {
    if (first.location == second.location) {
      if (intruder.location != first.location) return false;
      // R W W, R W R, W R W, W W R, W W W: all but those in which nobody disagrees.
      return intruder.writes || (first.writes && second.writes);
    }
    return conflict(first, intruder) || conflict(second, intruder);
  }

  void find_waking(const CallFootprint& one, const CallFootprint& other) {
    for (const uint64_t wait : one.waits) {
      const bool is_woken = std::binary_search(other.wakes.begin(), other.wakes.end(), wait);
      const bool both_wait = std::binary_search(other.waits.begin(), other.waits.end(), wait);
      if (is_woken || both_wait) add(mix(mix(4, wait), is_woken ? 1 : 2), kWakingWeight);
    }
  }

  std::unordered_set<uint64_t> seen_;
  std::vector<Conflict> found_;
};

}  // namespace

std::vector<Conflict> conflicts_of(const CallFootprint& one, const CallFootprint& other) {
  return Finder().find(one, other);
}

}  // namespace heddle::generate
