// FillingTests: pairs of calls that nothing speaks for, so that what the estimate of conflicts.h cannot see
// is tried all the same.
//
// Every third time, all of it is random, since what the search leaves out should have a chance as well; else
// a pair of methods after a sequence of the search chosen by chance and a few more calls. Pairs are drawn by
// what tests of them have brought, for the times that they were tried: those that always exclude each other
// are tried ever more seldom, and of those that have much to show, other states and arguments show more. Some
// have a thread that makes further calls: what it takes between two accesses of a call may be two others.
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
  // A test was executed, not only of those given here: how many requirements it found or covered first.
  void tell(const CallPlan& plan, uint64_t news);

 private:
  using MethodPair = std::pair<uint32_t, uint32_t>;
  struct Yield {
    uint64_t tests = 0;
    uint64_t news = 0;

    uint64_t weight() const;
  };
  CallPlan make();
  CallPlan make_pair();
  void lengthen(CallPlan* plan);
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
  std::map<MethodPair, Yield> pairs_;
  std::set<CallPlan> given_;
};

}  // namespace heddle::generate
