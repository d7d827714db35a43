// RandomGenerator: what generate is compared with. Concurrent tests of random calls, and nothing learnt.
//
// A test is a random sequence of calls on one object, and then a random call by each thread. It is tried in
// the same way as those of the Generator: same orders, prediction and schedules. The loop is run().
#pragma once

#include <cstdint>
#include <random>
#include <set>
#include <vector>

#include "generate/generator.h"

namespace heddle::bench {

class RandomGenerator {
 public:
  // All must outlive this.
  RandomGenerator(generate::DriverSession& session, const generate::ClassModel& model,
                  const generate::OperationTable& operations, Symbolizer& symbolizer,
                  generate::GeneratorOptions options, generate::GeneratorListener& listener);

  Expected<generate::GeneratorResult> run();

  const generate::Requirements& requirements() const { return requirements_; }

 private:
  bool is_over() const;
  generate::GeneratorStatus status() const;
  Expected<std::vector<generate::OperationId>> usable_constructors();
  generate::CallPlan make_plan(const std::vector<generate::OperationId>& constructors);
  // Nothing if there is no call that could be made now.
  void add_call(const std::vector<generate::OperationId>& before, std::vector<generate::OperationId>* calls);
  size_t choose(size_t number);

  generate::DriverSession& session_;
  const generate::OperationTable& operations_;
  const generate::GeneratorOptions options_;
  generate::GeneratorListener& listener_;
  const generate::TimeBudget time_{options_.budget, options_.clock};
  generate::Requirements requirements_;
  generate::ConcurrentTrial trial_;
  std::mt19937_64 random_;
  std::set<generate::CallPlan> known_;
  generate::GeneratorResult result_;
  uint64_t executions_ = 0;
  uint64_t failures_ = 0;
};

}  // namespace heddle::bench
