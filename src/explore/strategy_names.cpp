#include "explore/strategy_names.h"

#include <algorithm>
#include <charconv>
#include <iterator>

#include <fmt/format.h>

#include "explore/bounded_search.h"
#include "explore/hapset_search.h"
#include "explore/optimal_search.h"
#include "explore/portfolio.h"
#include "explore/preferred_switches.h"
#include "explore/reads_from_search.h"
#include "explore/seeded.h"
#include "explore/surw_search.h"

namespace heddle {
namespace {

// A thousand preemptions are more than any search gets to.
constexpr uint32_t kMaxBound = 1000;

enum class Parameter { kNone, kOptional, kNeeded };

struct Entry {
  StrategyKind kind;
  std::string_view name;
  Parameter parameter;
  std::string_view letter;  // that stands for the parameter
  uint32_t least;
  std::string_view help;
};

constexpr Entry kEntries[] = {
    {StrategyKind::kAuto, "auto", Parameter::kNone, "", 0,
     "several of the others in turn, which share what they learn"},
    {StrategyKind::kDfs, "dfs", Parameter::kNone, "", 0, "every interleaving"},
    {StrategyKind::kPcb, "pcb", Parameter::kNeeded, "K", 0,
     "every interleaving with at most K preemptions, fewer first"},
    {StrategyKind::kDelay, "delay", Parameter::kNeeded, "K", 0,
     "every interleaving with at most K delays, fewer first"},
    {StrategyKind::kDpor, "dpor", Parameter::kNone, "", 0, "one interleaving of each equivalence class"},
    {StrategyKind::kHapset, "hapset", Parameter::kOptional, "K", 0,
     "interleavings that show two statements in a new order; :K bounds their preemptions"},
    {StrategyKind::kRandom, "random", Parameter::kNone, "", 0, "uniformly random choices"},
    {StrategyKind::kPct, "pct", Parameter::kNeeded, "D", 1, "random priorities with D-1 change points"},
    {StrategyKind::kPos, "pos", Parameter::kNone, "", 0, "random priorities of operations"},
    {StrategyKind::kSurw, "surw", Parameter::kNone, "", 0,
     "orders of the accesses to one location, uniformly drawn"},
    {StrategyKind::kRf, "rf", Parameter::kNone, "", 0, "new combinations of which write each read sees"},
};

const Entry& entry_of(StrategyKind kind) {
  return *std::find_if(std::begin(kEntries), std::end(kEntries),
                       [&](const Entry& entry) { return entry.kind == kind; });
}

std::string form_of(const Entry& entry) {
  switch (entry.parameter) {
    case Parameter::kNone:
      return std::string(entry.name);
    case Parameter::kOptional:
      return fmt::format("{}[:{}]", entry.name, entry.letter);
    case Parameter::kNeeded:
      break;
  }
  return fmt::format("{}:{}", entry.name, entry.letter);
}

Expected<uint32_t> parse_bound(const Entry& entry, std::string_view text) {
  uint32_t bound = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, bound);
  if (error != std::errc() || stop != end || bound < entry.least || bound > kMaxBound) {
    return usage_error(
        fmt::format("'{}' is not a bound for {}: expected a number from {} to {}, such as {}:2", text,
                    form_of(entry), entry.least, kMaxBound, entry.name));
  }
  return bound;
}

}  // namespace

std::string list_strategies() {
  std::string list;
  for (const Entry& entry : kEntries) list += (list.empty() ? "" : ", ") + form_of(entry);
  return list;
}

std::string describe_strategies() {
  std::string text;
  for (const Entry& entry : kEntries) text += fmt::format("  {:<12}{}\n", form_of(entry), entry.help);
  return text;
}

Expected<StrategySpec> parse_strategy(std::string_view text) {
  const size_t colon = text.find(':');
  const std::string_view name = text.substr(0, colon);
  for (const Entry& entry : kEntries) {
    if (entry.name != name) continue;
    if (colon == text.npos) {
      if (entry.parameter != Parameter::kNeeded) return StrategySpec{entry.kind, {}};
      return usage_error(
          fmt::format("strategy {} needs a bound: write {}, such as {}:2", name, form_of(entry), name));
    }
    if (entry.parameter == Parameter::kNone)
      return usage_error(fmt::format("strategy {} takes no bound; there are {}", name, list_strategies()));
    const Expected<uint32_t> bound = parse_bound(entry, text.substr(colon + 1));
    if (!bound) return tl::unexpected(bound.error());
    return StrategySpec{entry.kind, *bound};
  }
  return usage_error(fmt::format("unknown strategy '{}': there are {}", text, list_strategies()));
}

std::string print_strategy(const StrategySpec& spec) {
  const std::string name(entry_of(spec.kind).name);
  return spec.bound ? fmt::format("{}:{}", name, *spec.bound) : name;
}

bool is_one_search(StrategyKind kind) {
  switch (kind) {
    case StrategyKind::kDfs:
    case StrategyKind::kPcb:
    case StrategyKind::kDelay:
    case StrategyKind::kDpor:
    case StrategyKind::kHapset:
      return true;
    default:
      return false;
  }
}

bool takes_preferences(StrategyKind kind) {
  return kind == StrategyKind::kAuto || kind == StrategyKind::kPcb || kind == StrategyKind::kSurw;
}

std::unique_ptr<Strategy> make_strategy(const StrategySpec& spec, const StrategyOptions& options) {
  const auto seeded = [&](trace::PolicyKind policy) {
    return std::make_unique<SeededStrategy>(
        trace::PolicySpec{.kind = policy, .depth = spec.bound.value_or(0), .seed = options.seed});
  };
  switch (spec.kind) {
    case StrategyKind::kAuto:
      return make_portfolio(options);
    case StrategyKind::kDfs:
      return std::make_unique<DepthFirstSearch>();
    case StrategyKind::kPcb:
      if (options.prefers) return std::make_unique<PreferringSearch>(spec.bound.value_or(0));
      return std::make_unique<PreemptionBoundedSearch>(spec.bound.value_or(0));
    case StrategyKind::kDelay:
      return std::make_unique<DelayBoundedSearch>(spec.bound.value_or(0));
    case StrategyKind::kDpor:
      return std::make_unique<OptimalSearch>();
    case StrategyKind::kHapset:
      return std::make_unique<HapSetSearch>(
          HapSetSearch::Options{
              .learning_runs = options.learning_runs, .seed = options.seed, .preemptions = spec.bound},
          options.sets);
    case StrategyKind::kRandom:
      return seeded(trace::PolicyKind::kRandom);
    case StrategyKind::kPct:
      return seeded(trace::PolicyKind::kPct);
    case StrategyKind::kPos:
      return seeded(trace::PolicyKind::kPos);
    case StrategyKind::kSurw:
      return std::make_unique<SurwSearch>(options.seed);
    case StrategyKind::kRf:
      return std::make_unique<ReadsFromSearch>(options.seed);
  }
  return nullptr;
}

}  // namespace heddle
