// PolicySpec: which thread to run when no schedule says so, as a user names it.
//
//   nonpreemptive | round-robin | random | pct:D | pos | surw | rf      each optionally followed by " seed N"
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "support/error.h"
#include "trace/arena.h"

namespace heddle::trace {

struct PolicySpec {
  PolicyKind kind = PolicyKind::kNonpreemptive;
  uint32_t depth = 0;  // D of pct:D, at least 1; 0 for every other policy
  uint64_t seed = 0;

  bool operator==(const PolicySpec&) const = default;
};

// PCT draws D-1 change points among an execution's steps; a bug that needs a thousand ordered events is found
// by no random policy, so a larger D is a slip of the keyboard.
inline constexpr uint32_t kMaxPctDepth = 1000;

// The error lists the valid policies.
Expected<PolicySpec> parse_policy(std::string_view text);

// Whether executions with different seeds can differ.
bool uses_seed(PolicyKind kind);

// "pct:3": the policy without its seed.
std::string policy_name(const PolicySpec& policy);

// The inverse of parse_policy: "pct:3 seed 7". The seed shows if it means something or is not 0.
std::string print_policy(const PolicySpec& policy);

// Those that need no search, for help texts: "nonpreemptive, round-robin, random, pct:D (D at least 1), …".
std::string list_policies();

}  // namespace heddle::trace
