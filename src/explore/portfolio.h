// Portfolio: several strategies in turn (strategy `auto`).
//
// A small test is searched to its end by one of its members, and then all are done, unless executions were
// seen about which no search can be sure. In a large one some member is likely to be the right one, and
// nobody knows which: so each gets its share of the executions, and hears what the executions of the others
// showed.
#pragma once

#include <memory>
#include <vector>

#include "explore/strategy.h"

namespace heddle {

struct StrategyOptions;

class Portfolio final : public Strategy {
 public:
  // Of all executions it gets `share` parts; in a tie those that were added first go first.
  void add(std::unique_ptr<Strategy> strategy, uint32_t share);

  Detail detail() const override;
  std::optional<Plan> next() override;
  void learn(const Observation& seen) override;
  void overhear(const Observation& seen) override;
  void begin_again() override;
  Claim claim() const override;
  const HapSet* sets() const override;
  uint64_t coverage() const override;
  uint64_t pruned() const override;

 private:
  struct Member {
    std::unique_ptr<Strategy> strategy;
    uint32_t share = 1;
    uint64_t executions = 0;
    bool is_over = false;
  };

  Member* next_in_turn();

  std::vector<Member> members_;
  Member* planning_ = nullptr;  // whose plan is being executed
  uint64_t executed_ = 0;
  bool unsure_ = false;
};

std::unique_ptr<Strategy> make_portfolio(const StrategyOptions& options);

}  // namespace heddle
