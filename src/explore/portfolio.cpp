#include "explore/portfolio.h"

#include <algorithm>

#include "explore/hapset_search.h"
#include "explore/optimal_search.h"
#include "explore/preferred_switches.h"
#include "explore/reads_from_search.h"
#include "explore/seeded.h"
#include "explore/strategy_names.h"
#include "explore/surw_search.h"

namespace heddle {
namespace {

// After so many executions hardly anything is learned from the others any more, and executions of which only
// the outcome is wanted are faster.
constexpr uint64_t kSharedExecutions = 2000;

}  // namespace

void Portfolio::add(std::unique_ptr<Strategy> strategy, uint32_t share) {
  members_.push_back({std::move(strategy), share});
}

Portfolio::Member* Portfolio::next_in_turn() {
  Member* best = nullptr;
  for (Member& member : members_) {
    const bool earlier = best == nullptr || member.executions * best->share < best->executions * member.share;
    if (!member.is_over && earlier) best = &member;
  }
  return best;
}

std::optional<Plan> Portfolio::next() {
  while ((planning_ = next_in_turn()) != nullptr) {
    if (std::optional<Plan> plan = planning_->strategy->next()) {
      planning_->executions++;
      return plan;
    }
    planning_->is_over = true;
    if (planning_->strategy->claim().complete && !unsure_) return std::nullopt;
  }
  return std::nullopt;
}

Detail Portfolio::detail() const {
  const Detail wanted = planning_ != nullptr ? planning_->strategy->detail() : Detail::kOutcome;
  const bool shares = executed_ < kSharedExecutions && wanted == Detail::kOutcome;
  return shares ? Detail::kEvents : wanted;
}

void Portfolio::learn(const Observation& seen) {
  executed_++;
  unsure_ |= seen.unsure;
  planning_->strategy->learn(seen);
  if (executed_ > kSharedExecutions || planning_->strategy->detail() == Detail::kChoices) return;
  for (Member& member : members_) {
    if (&member != planning_) member.strategy->overhear(seen);
  }
}

void Portfolio::overhear(const Observation& seen) {
  for (Member& member : members_) member.strategy->overhear(seen);
}

void Portfolio::begin_again() {
  unsure_ = false;
  for (Member& member : members_) {
    member.strategy->begin_again();
    member.is_over = false;
  }
}

Claim Portfolio::claim() const {
  for (const Member& member : members_) {
    Claim claim = member.strategy->claim();
    if (member.is_over && claim.complete) return claim;
  }
  return {.interleavings = executed_, .meaning = "interleavings that several strategies chose"};
}

const HapSet* Portfolio::sets() const {
  for (const Member& member : members_) {
    if (const HapSet* sets = member.strategy->sets()) return sets;
  }
  return nullptr;
}

uint64_t Portfolio::coverage() const {
  uint64_t most = 0;
  for (const Member& member : members_) most = std::max(most, member.strategy->coverage());
  return most;
}

uint64_t Portfolio::pruned() const {
  uint64_t all = 0;
  for (const Member& member : members_) all += member.strategy->pruned();
  return all;
}

std::unique_ptr<Strategy> make_portfolio(const StrategyOptions& options) {
  using trace::PolicyKind;
  auto portfolio = std::make_unique<Portfolio>();
  const auto add_seeded = [&](trace::PolicySpec policy) {
    policy.seed = options.seed;
    portfolio->add(std::make_unique<SeededStrategy>(policy), 1);
  };
  // Two preemptions are enough for most failures; beyond that its order is that of any other search.
  if (options.is_first_worker && options.prefers) portfolio->add(std::make_unique<PreferringSearch>(2), 3);
  if (options.is_first_worker) {
    portfolio->add(std::make_unique<HapSetSearch>(HapSetSearch::Options{.seed = options.seed}, options.sets),
                   2);
  }
  portfolio->add(std::make_unique<ReadsFromSearch>(options.seed), 2);
  if (options.is_first_worker) portfolio->add(std::make_unique<OptimalSearch>(), 2);
  portfolio->add(std::make_unique<SurwSearch>(options.seed), 1);
  add_seeded({.kind = PolicyKind::kPos});
  add_seeded({.kind = PolicyKind::kPct, .depth = 3});
  return portfolio;
}

}  // namespace heddle
