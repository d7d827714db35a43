#include "generate/filling_tests.h"

#include <algorithm>

namespace heddle::generate {
namespace {

// Calls behind the sequence that was chosen.
constexpr size_t kMostFurtherCalls = 6;
// Without a sequence.
constexpr size_t kMostCalls = 11;
constexpr int kMostKnownInARow = 200;
// One in so many is random.
constexpr size_t kRandomTests = 3;
// What a requirement that is new weighs beside the chance that each pair has.
constexpr uint64_t kWeightOfNews = 2;
constexpr uint64_t kScale = 1'000'000;
// One in so many has a thread with more calls, and these are at most so many more.
constexpr size_t kLongerTests = 5;
constexpr size_t kMostMoreCalls = 2;

}  // namespace

FillingTests::FillingTests(const SequenceSearch& search, const OperationTable& operations, uint32_t threads,
                           uint64_t seed)
    : search_(search), operations_(operations), threads_(threads), random_(seed) {
  std::set<uint32_t> methods;
  for (const Operation& operation : operations.operations)
    if (!operation.is_constructor && !operation.only_afterwards) methods.insert(operation.callable);
  methods_.assign(methods.begin(), methods.end());
  for (size_t i = 0; i < methods_.size(); ++i)
    for (size_t j = i; j < methods_.size(); ++j) pairs_[{methods_[i], methods_[j]}] = {};
}

// Not by a distribution of the library: those may differ from one to another.
size_t FillingTests::choose(size_t number) {
  return static_cast<size_t>(random_() % number);
}

bool FillingTests::is_possible(const Operation& operation, const std::vector<OperationId>& made) const {
  if (operation.is_constructor || search_.is_hopeless(operation.id)) return false;
  return std::all_of(operation.needs.begin(), operation.needs.end(), [&](uint32_t needed) {
    return std::any_of(made.begin(), made.end(),
                       [&](OperationId call) { return operations_[call].callable == needed; });
  });
}

std::optional<OperationId> FillingTests::choose_call(uint32_t method, const std::vector<OperationId>& made) {
  std::vector<OperationId> possible;
  for (const Operation& operation : operations_.operations)
    if (operation.callable == method && is_possible(operation, made)) possible.push_back(operation.id);
  if (possible.empty()) return std::nullopt;
  return possible[choose(possible.size())];
}

std::optional<OperationId> FillingTests::choose_call(const std::vector<OperationId>& made) {
  return choose_call(methods_[choose(methods_.size())], made);
}

// One with many arguments does many things, so it comes as often as it has operations.
std::optional<OperationId> FillingTests::choose_any_call(const std::vector<OperationId>& made) {
  std::vector<OperationId> possible;
  for (const Operation& operation : operations_.operations)
    if (!operation.only_afterwards && is_possible(operation, made)) possible.push_back(operation.id);
  if (possible.empty()) return std::nullopt;
  return possible[choose(possible.size())];
}

uint64_t FillingTests::Yield::weight() const {
  return std::max<uint64_t>(1, kScale * (1 + kWeightOfNews * news) / (1 + tests));
}

void FillingTests::tell(const CallPlan& plan, uint64_t news) {
  if (plan.threads.size() != 2) return;
  std::set<MethodPair> told;
  for (const OperationId one : plan.threads[0]) {
    for (const OperationId other : plan.threads[1]) {
      MethodPair pair{operations_[one].callable, operations_[other].callable};
      if (pair.first > pair.second) std::swap(pair.first, pair.second);
      const auto at = pairs_.find(pair);
      if (at == pairs_.end() || !told.insert(pair).second) continue;
      ++at->second.tests;
      at->second.news += news;
    }
  }
}

FillingTests::MethodPair FillingTests::choose_pair() {
  uint64_t all = 0;
  for (const auto& [pair, yield] : pairs_) all += yield.weight();
  uint64_t drawn = random_() % all;
  for (const auto& [pair, yield] : pairs_) {
    if (drawn < yield.weight()) return pair;
    drawn -= yield.weight();
  }
  return pairs_.begin()->first;
}

CallPlan FillingTests::choose_beginning(bool is_random) {
  // Those without calls are the first ones.
  const std::vector<SequenceNode>& nodes = search_.nodes();
  const auto has_calls = [](const SequenceNode& node) { return !node.calls.empty(); };
  const size_t candidates =
      is_random ? static_cast<size_t>(std::find_if(nodes.begin(), nodes.end(), has_calls) - nodes.begin())
                : nodes.size();
  const SequenceNode& node = nodes[choose(candidates)];
  CallPlan plan{.constructor = node.constructor, .before = node.calls, .threads = {}, .after = {}};
  for (size_t more = choose((is_random ? kMostCalls : kMostFurtherCalls) + 1); more > 0; --more)
    if (const std::optional<OperationId> call =
            is_random ? choose_any_call(plan.before) : choose_call(plan.before))
      plan.before.push_back(*call);
  return plan;
}

CallPlan FillingTests::make() {
  CallPlan plan = make_pair();
  if (plan.threads.size() == 2 && choose(kLongerTests) == 0) lengthen(&plan);
  return plan;
}

void FillingTests::lengthen(CallPlan* plan) {
  std::vector<OperationId>& thread = plan->threads[choose(2)];
  std::vector<OperationId> made = plan->before;
  made.insert(made.end(), thread.begin(), thread.end());
  for (size_t more = 1 + choose(kMostMoreCalls); more > 0; --more) {
    // The same method once more, or any one.
    const std::optional<OperationId> call =
        choose(2) == 0 ? choose_call(operations_[thread.front()].callable, made) : choose_any_call(made);
    if (!call) return;
    thread.push_back(*call);
    made.push_back(*call);
  }
}

CallPlan FillingTests::make_pair() {
  const bool is_random = choose(kRandomTests) == 0;
  CallPlan plan = choose_beginning(is_random);
  if (is_random) {
    for (uint32_t i = 0; i < 2; ++i)
      if (const std::optional<OperationId> call = choose_any_call(plan.before))
        plan.threads.push_back({*call});
    return plan;
  }
  const MethodPair pair = choose_pair();
  for (const uint32_t method : {pair.first, pair.second})
    if (const std::optional<OperationId> call = choose_call(method, plan.before))
      plan.threads.push_back({*call});
  if (choose(2) == 0) std::reverse(plan.threads.begin(), plan.threads.end());
  if (threads_ > 2 && choose(2) == 0)
    if (const std::optional<OperationId> call = choose_call(plan.before)) plan.threads.push_back({*call});
  return plan;
}

std::optional<CallPlan> FillingTests::next() {
  if (search_.nodes().empty() || methods_.empty()) return std::nullopt;
  for (int i = 0; i < kMostKnownInARow; ++i) {
    CallPlan plan = make();
    if (plan.threads.size() >= 2 && given_.insert(plan).second) return plan;
  }
  return std::nullopt;
}

}  // namespace heddle::generate
