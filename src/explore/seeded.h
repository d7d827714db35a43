// SeededStrategy: independent executions under one of the runtime's random policies, seed after seed.
#pragma once

#include "explore/strategy.h"

namespace heddle {

class SeededStrategy : public Strategy {
 public:
  explicit SeededStrategy(trace::PolicySpec policy) : policy_(policy) {}

  Detail detail() const override { return Detail::kOutcome; }
  std::optional<Plan> next() override {
    Plan plan{.then = policy_};
    policy_.seed++;
    return plan;
  }
  void learn(const Observation&) override {}
  Claim claim() const override { return {}; }

 private:
  trace::PolicySpec policy_;  // of the next execution
};

}  // namespace heddle
