#include "generate/sequential_orders.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace heddle::generate {
namespace {

// Three threads with three calls each have 1,680 orders. Who asks for more has a test that nobody can read.
constexpr size_t kMostOrders = 2000;
// Of each order, before something is called wrong.
constexpr uint64_t kRepetitions = 4;

std::vector<uint32_t> sizes_of(const std::vector<std::vector<OperationId>>& threads) {
  std::vector<uint32_t> sizes;
  for (const std::vector<OperationId>& thread : threads)
    sizes.push_back(static_cast<uint32_t>(thread.size()));
  return sizes;
}

void extend(std::vector<uint32_t>* left, std::vector<uint32_t>* turns, size_t most,
            std::vector<std::vector<uint32_t>>* found) {
  if (found->size() >= most) return;
  bool is_complete = true;
  // Who made the last call goes on first, so that serial orders come first.
  const uint32_t last = turns->empty() ? 0 : turns->back();
  for (uint32_t i = 0; i < left->size(); ++i) {
    const uint32_t thread = (last + i) % static_cast<uint32_t>(left->size());
    if ((*left)[thread] == 0) continue;
    is_complete = false;
    --(*left)[thread];
    turns->push_back(thread);
    extend(left, turns, most, found);
    turns->pop_back();
    ++(*left)[thread];
  }
  if (is_complete) found->push_back(*turns);
}

}  // namespace

std::vector<std::vector<uint32_t>> merge_orders(const std::vector<uint32_t>& calls_by_thread, size_t most) {
  std::vector<std::vector<uint32_t>> found;
  std::vector<uint32_t> left = calls_by_thread;
  std::vector<uint32_t> turns;
  extend(&left, &turns, most, &found);
  return found;
}

Expected<SequentialOrders> SequentialOrders::make(CallRunner& runner, const CallPlan& plan) {
  SequentialOrders orders(runner, plan);
  if (const Expected<void> executed = orders.execute(); !executed) return tl::unexpected(executed.error());
  return orders;
}

Expected<CallRun> SequentialOrders::run_in_order(const std::vector<uint32_t>& turns,
                                                 const std::vector<OperationId>& then,
                                                 const PendingCall* pending, uint64_t schedule) {
  CallPlan alone{.constructor = plan_.constructor, .before = plan_.before, .threads = {}, .after = {}};
  std::vector<size_t> next(plan_.threads.size());
  alone.made_for.assign(plan_.before.size(), 0);
  for (const uint32_t thread : turns) {
    alone.before.push_back(plan_.threads[thread][next[thread]++]);
    alone.made_for.push_back(thread + 1);
  }
  if (pending != nullptr) {
    alone.before.push_back(pending->operation);
    alone.made_for.push_back(pending->thread + 1);
  }
  alone.after = then;
  ++executions_;
  return runner_->run_alone(alone, /*observes=*/false, schedule);
}

CallRun SequentialOrders::in_plan_order(const std::vector<uint32_t>& turns, CallRun run) const {
  std::vector<CallResult> results(plan_.calls());
  std::vector<size_t> place(plan_.threads.size());  // of each thread's next call in the plan
  size_t at = plan_.before.size();
  for (size_t thread = 0; thread < plan_.threads.size(); ++thread) {
    place[thread] = at;
    at += plan_.threads[thread].size();
  }
  for (size_t i = 0; i < run.results.size(); ++i) {
    const size_t turn = i - plan_.before.size();
    const bool is_threads = i >= plan_.before.size() && turn < turns.size();
    results[is_threads ? place[turns[turn]]++ : i] = std::move(run.results[i]);
  }
  run.results = std::move(results);
  return run;
}

Expected<void> SequentialOrders::execute() {
  right_.stable.assign(plan_.calls(), true);
  for (std::vector<uint32_t>& turns : merge_orders(sizes_of(plan_.threads), kMostOrders)) {
    Expected<CallRun> run = run_in_order(turns, plan_.after);
    if (!run) return tl::unexpected(run.error());
    if (run->end == RunEnd::kFailed || run->end == RunEnd::kExited) {
      unusable_ = "one call after the other, it ends by " + run->why;
      return {};
    }
    CallRun placed = in_plan_order(turns, std::move(*run));
    right_.orders.push_back({std::move(turns), std::move(placed)});
  }
  const auto finished = std::find_if(right_.orders.begin(), right_.orders.end(),
                                     [](const SequentialOrder& order) { return order.run.finished(); });
  if (finished == right_.orders.end()) {
    unusable_ = "in no order do all calls end";
    ends_never_ = true;
    return {};
  }
  return compare_again(*finished, /*schedule=*/0);
}

Expected<void> SequentialOrders::compare_again(const SequentialOrder& order, uint64_t schedule) {
  Expected<CallRun> again = run_in_order(order.turns, plan_.after, nullptr, schedule);
  if (!again) return tl::unexpected(again.error());
  const CallRun placed = in_plan_order(order.turns, std::move(*again));
  for (size_t i = 0; i < right_.stable.size() && i < placed.results.size(); ++i)
    if (placed.results[i].text != order.run.results[i].text) right_.stable[i] = false;
  return {};
}

Expected<void> SequentialOrders::make_sure() {
  for (uint64_t schedule = 1; schedule <= kRepetitions; ++schedule) {
    for (const SequentialOrder& order : right_.orders) {
      if (!order.run.finished()) continue;
      if (const Expected<void> compared = compare_again(order, schedule); !compared) return compared;
    }
  }
  return {};
}

bool SequentialOrders::same_results_of_threads(const CallRun& one, const CallRun& other) const {
  return same_results(one, other, plan_.calls() - plan_.after.size());
}

bool SequentialOrders::same_results(const CallRun& one, const CallRun& other) const {
  return same_results(one, other, plan_.calls());
}

bool SequentialOrders::same_results(const CallRun& one, const CallRun& other, size_t end) const {
  for (size_t i = plan_.before.size(); i < end; ++i) {
    const CallResult& a = one.results[i];
    const CallResult& b = other.results[i];
    if ((a.ended != 0) != (b.ended != 0) || a.threw != b.threw) return false;
    if (right_.stable[i] && a.text != b.text) return false;
  }
  return true;
}

bool SequentialOrders::blocks() const {
  return std::any_of(right_.orders.begin(), right_.orders.end(),
                     [](const SequentialOrder& order) { return order.run.end == RunEnd::kBlocked; });
}

bool SequentialOrders::explains(const CallRun& run) const {
  return std::any_of(right_.orders.begin(), right_.orders.end(), [&](const SequentialOrder& order) {
    return order.run.finished() && same_results(order.run, run);
  });
}

Expected<bool> SequentialOrders::explains_block(const CallRun& run) {
  std::vector<uint32_t> completed(plan_.threads.size());
  std::vector<PendingCall> pending;
  std::vector<size_t> first(plan_.threads.size());
  size_t at = plan_.before.size();
  for (size_t thread = 0; thread < plan_.threads.size(); ++thread) {
    first[thread] = at;
    for (size_t i = 0; i < plan_.threads[thread].size(); ++i, ++at) {
      const CallResult& result = run.results[at];
      if (result.ended != 0) ++completed[thread];
      if (result.begun != 0 && result.ended == 0)
        pending.push_back({static_cast<uint32_t>(thread), plan_.threads[thread][i]});
    }
  }
  // Then it is main that waits, for what it asks afterwards.
  if (pending.empty()) {
    return std::any_of(right_.orders.begin(), right_.orders.end(), [&](const SequentialOrder& order) {
      return order.run.end == RunEnd::kBlocked && same_results_of_threads(order.run, run);
    });
  }
  for (const std::vector<uint32_t>& turns : merge_orders(completed, kMostOrders)) {
    bool blocks = !pending.empty();
    for (size_t i = 0; i < pending.size() && blocks; ++i) {
      const Expected<CallRun> alone = run_in_order(turns, {}, &pending[i]);
      if (!alone) return tl::unexpected(alone.error());
      blocks = alone->end == RunEnd::kBlocked && alone->results.back().begun != 0;
      std::vector<size_t> next = first;
      for (size_t turn = 0; turn < turns.size() && blocks; ++turn) {
        const size_t place = next[turns[turn]]++;
        blocks = !right_.stable[place] ||
                 alone->results[plan_.before.size() + turn].text == run.results[place].text;
      }
    }
    if (blocks) return true;
  }
  return false;
}

}  // namespace heddle::generate
