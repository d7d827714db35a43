// SequentialOrders: what the calls of a concurrent test give when they are made one after the other.
//
// Each order that keeps the calls of a thread in theirs is executed once. What a concurrent execution gave is
// right if one of the orders gives the same: the result of each call, and of the calls that look at the
// object afterwards. A concurrent execution that is stuck is right if the calls that it has completed can be
// ordered so that each of those which have not ended blocks then.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "generate/call_plan.h"
#include "support/error.h"

namespace heddle::generate {

struct SequentialOrder {
  std::vector<uint32_t> turns;  // the thread that makes each call
  CallRun run;                  // results in the order of the concurrent plan
};

// What is right, as a test says it.
struct RightResults {
  std::vector<SequentialOrder> orders;
  std::vector<bool> stable;  // by call of the plan: its result is the same each time an order is executed
};

class SequentialOrders {
 public:
  // Executes them. The runner must outlive this.
  static Expected<SequentialOrders> make(CallRunner& runner, const CallPlan& plan);

  // Why nothing can be said of concurrent executions: a call fails, or blocks in every order. Empty if it
  // can.
  const std::string& unusable() const { return unusable_; }
  bool ends_never() const { return ends_never_; }

  // Whether some order gives these results.
  bool explains(const CallRun& run) const;
  // Whether a call blocks in some order.
  bool blocks() const;
  bool are_equal(const CallRun& one, const CallRun& other) const { return same_results(one, other); }
  // Executes the orders some more times: results that differ then mean nothing.
  Expected<void> make_sure();
  // The same as explains() for an execution in which not all calls have ended.
  Expected<bool> explains_block(const CallRun& run);

  const RightResults& right() const { return right_; }
  uint64_t executions() const { return executions_; }

 private:
  SequentialOrders(CallRunner& runner, CallPlan plan) : runner_(&runner), plan_(std::move(plan)) {}

  Expected<void> execute();
  struct PendingCall {
    uint32_t thread;
    OperationId operation;
  };
  // Then main makes `then`; before that comes a pending call, if there is one.
  Expected<CallRun> run_in_order(const std::vector<uint32_t>& turns, const std::vector<OperationId>& then,
                                 const PendingCall* pending = nullptr, uint64_t schedule = 0);
  CallRun in_plan_order(const std::vector<uint32_t>& turns, CallRun run) const;
  Expected<void> compare_again(const SequentialOrder& order, uint64_t schedule);
  bool same_results(const CallRun& one, const CallRun& other) const;
  bool same_results_of_threads(const CallRun& one, const CallRun& other) const;
  bool same_results(const CallRun& one, const CallRun& other, size_t end) const;

  CallRunner* runner_;
  CallPlan plan_;
  RightResults right_;
  std::string unusable_;
  bool ends_never_ = false;
  uint64_t executions_ = 0;
};

// All orders of so many calls by each thread; at most `most` of them, the serial ones first.
std::vector<std::vector<uint32_t>> merge_orders(const std::vector<uint32_t>& calls_by_thread, size_t most);

}  // namespace heddle::generate
