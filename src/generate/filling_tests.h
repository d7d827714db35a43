// FillingTests: pairs of calls that nothing speaks for, so that what the estimate of conflicts.h cannot see
// is tried all the same.
//
// Every second time, all of it is random, since what the search leaves out should have a chance as well; else
// the pair of methods that was tried least comes next, in either order of its threads, after a sequence of
// the search chosen by chance and a few more calls.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <random>
#include <set>
#include <utility>
#include <vector>

#include "generate/call_plan.h"
#include "generate/operation.h"
#include "generate/sequence_search.h"

namespace heddle::generate {

class FillingTests {
 public:
  // Both must outlive this.
  FillingTests(const SequenceSearch& search, const OperationTable& operations, uint32_t threads,
               uint64_t seed);

  // Nothing if none is found that was not given before.
  std::optional<CallPlan> next();

 private:
  using MethodPair = std::pair<uint32_t, uint32_t>;
  CallPlan make();
  CallPlan choose_beginning(bool is_random);
  std::optional<OperationId> choose_any_call(const std::vector<OperationId>& made);
  MethodPair choose_pair();
  std::optional<OperationId> choose_call(uint32_t method, const std::vector<OperationId>& made);
  std::optional<OperationId> choose_call(const std::vector<OperationId>& made);
  bool is_possible(const Operation& operation, const std::vector<OperationId>& made) const;
  size_t choose(size_t number);

  const SequenceSearch& search_;
  const OperationTable& operations_;
  const uint32_t threads_;
  std::mt19937_64 random_;
  std::vector<uint32_t> methods_;  // that can be called
  std::map<MethodPair, uint64_t> tried_;
  std::set<CallPlan> given_;
};

}  // namespace heddle::generate
