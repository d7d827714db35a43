// The strategies by the names that users give them: "dpor", "pcb:2".
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "explore/strategy.h"
#include "history/hapset.h"
#include "support/error.h"

namespace heddle {

enum class StrategyKind { kAuto, kDfs, kPcb, kDelay, kDpor, kHapset, kRandom, kPct, kPos, kSurw, kRf };

struct StrategySpec {
  StrategyKind kind = StrategyKind::kAuto;
  std::optional<uint32_t> bound;  // what is written after the colon

  bool operator==(const StrategySpec&) const = default;
};

Expected<StrategySpec> parse_strategy(std::string_view text);
std::string print_strategy(const StrategySpec& spec);
// "auto, dfs, pcb:K, …"
std::string list_strategies();
// One line for each, for the help.
std::string describe_strategies();

// Whether what it executes next depends on what it has executed: then it cannot be shared out.
bool is_one_search(StrategyKind kind);
// Whether it can switch threads around certain operations rather than others.
bool takes_preferences(StrategyKind kind);

struct StrategyOptions {
  uint64_t seed = 1;
  uint64_t learning_runs = 0;   // hapset: random executions before the search begins
  bool is_first_worker = true;  // auto: searches that only one worker needs to make
  bool prefers = false;         // some operations (Operation::is_preferred)
  HapSet sets;                  // hapset and auto: what is known from earlier searches
};

std::unique_ptr<Strategy> make_strategy(const StrategySpec& spec, const StrategyOptions& options);

}  // namespace heddle
