// Units of work: the stretches of a thread's accesses to an atomic set that should look as if nothing came
// between. docs/atomicity.md says how they are found, and why so.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "predict/accesses.h"
#include "support/error.h"

namespace heddle {

struct UnitRule {
  enum class Kind : uint8_t {
    kFunction,  // the outermost activation that itself accesses the set; without contexts, see docs
    kLock,      // a locked region: from the first lock taken until none is held
    kThread,    // everything that a thread does
  };
  Kind kind = Kind::kFunction;
  uint32_t callers = 0;  // kFunction: so many calls further out
};

// "function", "call:N", "lock" or "thread".
Expected<UnitRule> parse_unit_rule(std::string_view text);

class Units {
 public:
  Units(const Accesses& accesses, UnitRule rule);

  // Numbers the units of one set's accesses, from 0 in the order in which they begin, and returns how many
  // there are. Units of one thread follow one another.
  uint32_t assign(std::span<Access> of_one_set);

 private:
  struct Key {
    uint32_t part = 0;       // activation or region
    uint32_t handovers = 0;  // of the thread, so far
    bool operator==(const Key&) const = default;
  };
  struct ThreadState {
    uint32_t stamp = 0;        // of the set that it belongs to
    bool takes_locks = false;  // around some access to the set
    Key key;
    uint32_t unit = 0;
    bool has_unit = false;
  };

  Key key_of(const Access& access);
  uint32_t activation_of(uint32_t activation);

  const Accesses& accesses_;
  const UnitRule rule_;
  uint32_t stamp_ = 0;
  std::vector<ThreadState> threads_;
  std::vector<uint32_t> touched_;  // by activation: the stamp of the last set that it accesses itself
};

}  // namespace heddle
