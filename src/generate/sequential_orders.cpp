#include "generate/sequential_orders.h"

#include <algorithm>
#include <iterator>
#include <numeric>
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
  if (const Expected<void> executed = orders.complete(); !executed) return tl::unexpected(executed.error());
  return orders;
}

void SequentialOrders::adopt(CallRun run) {
  if (run.end != RunEnd::kFinished) return;
  struct Turn {
    uint32_t begun;
    uint32_t ended;
    uint32_t thread;
  };
  std::vector<Turn> made;
  size_t at = plan_.before.size();
  for (size_t thread = 0; thread < plan_.threads.size(); ++thread)
    for (size_t i = 0; i < plan_.threads[thread].size(); ++i, ++at)
      made.push_back({run.results[at].begun, run.results[at].ended, static_cast<uint32_t>(thread)});
  std::sort(made.begin(), made.end(), [](const Turn& one, const Turn& two) { return one.begun < two.begun; });
  std::vector<uint32_t> turns;
  for (size_t i = 0; i < made.size(); ++i) {
    if (made[i].begun == 0 || made[i].ended == 0 || (i > 0 && made[i].begun < made[i - 1].ended)) return;
    turns.push_back(made[i].thread);
  }
  adopted_.emplace(std::move(turns), std::move(run));
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

Expected<void> SequentialOrders::complete() {
  right_.stable.assign(plan_.calls(), true);
  for (std::vector<uint32_t>& turns : merge_orders(sizes_of(plan_.threads), kMostOrders)) {
    if (const auto known = adopted_.find(turns); known != adopted_.end()) {
      right_.orders.push_back({std::move(turns), known->second, /*is_adopted=*/true});
      continue;
    }
    Expected<CallRun> run = run_in_order(turns, plan_.after);
    if (!run) return tl::unexpected(run.error());
    if (run->end == RunEnd::kFailed || run->end == RunEnd::kExited) {
      unusable_ = "one call after the other, it ends by " + run->why;
      return {};
    }
    CallRun placed = in_plan_order(turns, std::move(*run));
    right_.orders.push_back({std::move(turns), std::move(placed), /*is_adopted=*/false});
  }
  if (!first_finished()) {
    unusable_ = "in no order do all calls end";
    ends_never_ = true;
  }
  return {};
}

const SequentialOrder* SequentialOrders::first_finished() const {
  const auto finished = std::find_if(right_.orders.begin(), right_.orders.end(),
                                     [](const SequentialOrder& order) { return order.run.finished(); });
  return finished == right_.orders.end() ? nullptr : &*finished;
}

Expected<void> SequentialOrders::compare_once() {
  const SequentialOrder* order = first_finished();
  return order == nullptr ? Expected<void>() : compare_again(*order, /*schedule=*/0);
}

// By place of a call in the plan: where it comes if the threads do so the other way round.
std::vector<size_t> SequentialOrders::reversed_places() const {
  std::vector<size_t> places(plan_.calls());
  std::iota(places.begin(), places.end(), 0);
  size_t from = plan_.before.size();
  size_t to = plan_.calls() - plan_.after.size();
  for (const std::vector<OperationId>& thread : plan_.threads) {
    to -= thread.size();
    for (size_t i = 0; i < thread.size(); ++i) places[from++] = to + i;
  }
  return places;
}

// From the reversed plan to this one.
CallRun SequentialOrders::in_reverse(const CallRun& run) const {
  CallRun placed = run;
  const std::vector<size_t> places = reversed_places();
  for (size_t call = 0; call < places.size() && places[call] < run.results.size(); ++call)
    placed.results[call] = run.results[places[call]];
  return placed;
}

SequentialOrders SequentialOrders::reversed() const {
  SequentialOrders other(*this);
  std::reverse(other.plan_.threads.begin(), other.plan_.threads.end());
  const std::vector<size_t> places = reversed_places();
  for (size_t i = 0; i < right_.stable.size(); ++i) other.right_.stable[places[i]] = right_.stable[i];
  for (SequentialOrder& order : other.right_.orders) {
    for (uint32_t& thread : order.turns) thread = static_cast<uint32_t>(plan_.threads.size()) - 1 - thread;
    order.run = other.in_reverse(order.run);
  }
  return other;
}

Expected<void> SequentialOrders::compare_again(const SequentialOrder& order, uint64_t schedule) {
  Expected<CallRun> again = run_in_order(order.turns, plan_.after, nullptr, schedule);
  if (!again) return tl::unexpected(again.error());
  const CallRun placed = in_plan_order(order.turns, std::move(*again));
  for (size_t i = 0; i < right_.stable.size() && i < placed.results.size(); ++i)
    if (placed.results[i].text != order.run.results[i].text) right_.stable[i] = false;
  return {};
}

// In what was adopted, threads have ended with their last call; in these they are all there until the end. A
// class may tell that apart, and both are right.
Expected<void> SequentialOrders::execute_adopted() {
  if (std::exchange(has_executed_adopted_, true)) return {};
  std::vector<SequentialOrder> others;
  for (SequentialOrder& order : right_.orders) {
    if (!order.is_adopted) continue;
    Expected<CallRun> run = run_in_order(order.turns, plan_.after);
    if (!run) return tl::unexpected(run.error());
    CallRun placed = in_plan_order(order.turns, std::move(*run));
    order.is_adopted = false;
    if (same_results(placed, order.run)) continue;
    others.push_back({order.turns, std::exchange(order.run, std::move(placed)), /*is_adopted=*/true});
  }
  std::move(others.begin(), others.end(), std::back_inserter(right_.orders));
  return {};
}

Expected<void> SequentialOrders::make_sure() {
  if (const Expected<void> executed = execute_adopted(); !executed) return executed;
  for (uint64_t schedule = 1; schedule <= kRepetitions; ++schedule) {
    for (const SequentialOrder& order : right_.orders) {
      if (!order.run.finished() || order.is_adopted) continue;
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
