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
  void learn(const Observation&) override { executed_++; }
  void begin_again() override {}
  Claim claim() const override {
    return {.interleavings = executed_, .meaning = "random interleavings (" + policy_name(policy_) + ")"};
  }

 private:
  trace::PolicySpec policy_;  // of the next execution
  uint64_t executed_ = 0;
};

}  // namespace heddle
