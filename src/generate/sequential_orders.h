// SequentialOrders: what the calls of a concurrent test give when they are made one after the other.
//
// Each order that keeps the calls of a thread in theirs is executed once, unless an execution is known in
// which the threads made their calls in that order. What a concurrent execution gave is right if one of the
// orders gives the same: the result of each call, and of the calls that look at the object afterwards. A
// concurrent execution that is stuck is right if the calls that it has completed can be ordered so that each
// of those which have not ended blocks then.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "generate/call_plan.h"
#include "support/error.h"

namespace heddle::generate {

struct SequentialOrder {
  std::vector<uint32_t> turns;  // the thread that makes each call
  CallRun run;                  // results in the order of the concurrent plan
  bool is_adopted = false;      // from an execution of the threads
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
  // The same in steps: nothing is known of it yet.
  SequentialOrders(CallRunner& runner, CallPlan plan) : runner_(&runner), plan_(std::move(plan)) {}
  // An execution of the plan's threads. It counts as an order if each call had ended before the next began.
  void adopt(CallRun run);
  // One of the plan with its threads reversed.
  void adopt_reversed(const CallRun& run) { adopt(in_reverse(run)); }
  // Executes the other orders.
  Expected<void> complete();

  // Why nothing can be said of concurrent executions: a call fails, or blocks in every order. Empty if it
  // can.
  const std::string& unusable() const { return unusable_; }
  bool ends_never() const { return ends_never_; }

  // What is right if the plan's threads come in the reverse order.
  SequentialOrders reversed() const;

  // Whether some order gives these results.
  bool explains(const CallRun& run) const;
  // Whether a call blocks in some order.
  bool blocks() const;
  bool are_equal(const CallRun& one, const CallRun& other) const { return same_results(one, other); }
  // Until one of these is called, all results are believed to mean something. The first executes one order
  // once more, the second all of them several times: results that differ then mean nothing.
  Expected<void> compare_once();
  Expected<void> make_sure();
  // The same as explains() for an execution in which not all calls have ended.
  Expected<bool> explains_block(const CallRun& run);

  const RightResults& right() const { return right_; }
  uint64_t executions() const { return executions_; }

 private:
  std::vector<size_t> reversed_places() const;
  CallRun in_reverse(const CallRun& run) const;
  const SequentialOrder* first_finished() const;
  struct PendingCall {
    uint32_t thread;
    OperationId operation;
  };
  // Then main makes `then`; before that comes a pending call, if there is one.
  Expected<CallRun> run_in_order(const std::vector<uint32_t>& turns, const std::vector<OperationId>& then,
                                 const PendingCall* pending = nullptr, uint64_t schedule = 0);
  CallRun in_plan_order(const std::vector<uint32_t>& turns, CallRun run) const;
  Expected<void> execute_adopted();
  Expected<void> compare_again(const SequentialOrder& order, uint64_t schedule);
  bool same_results(const CallRun& one, const CallRun& other) const;
  bool same_results_of_threads(const CallRun& one, const CallRun& other) const;
  bool same_results(const CallRun& one, const CallRun& other, size_t end) const;

  CallRunner* runner_;
  CallPlan plan_;
  std::map<std::vector<uint32_t>, CallRun> adopted_;  // by turns
  RightResults right_;
  std::string unusable_;
  bool ends_never_ = false;
  bool has_executed_adopted_ = false;
  uint64_t executions_ = 0;
};

// All orders of so many calls by each thread; at most `most` of them, the serial ones first.
std::vector<std::vector<uint32_t>> merge_orders(const std::vector<uint32_t>& calls_by_thread, size_t most);

}  // namespace heddle::generate
