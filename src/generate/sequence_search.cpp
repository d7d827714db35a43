#include "generate/sequence_search.h"

#include <algorithm>

#include "generate/keys.h"

namespace heddle::generate {
namespace {

// For a call that has ended the process wherever it was made.
constexpr uint64_t kChances = 4;

}  // namespace

Expected<void> SequenceSearch::begin() {
  ends_.resize(operations_.operations.size());
  for (uint32_t i = 0; i < operations_.constructors; ++i) {
    const OperationId constructor{i};
    const Expected<CallRun> run =
        runner_.run_alone({.constructor = constructor, .before = {}, .threads = {}, .after = {}},
                          /*observes=*/true);
    if (!run) return tl::unexpected(run.error());
    ++counts_.sequences;
    if (run->end != RunEnd::kFinished) {
      ends_[i].bad = run->why;
      continue;
    }
    ++ends_[i].good;
    fresh_[constructor] = run->state;
    const States states = states_of(constructor, *run);
    is_new(states);
    // Each of them is a beginning; which comes first does not depend on what others have covered.
    add_node({.constructor = constructor, .calls = {}, .state = states.both, .gain = 0, .explored = {}});
  }
  counts_.states = states_.size();
  return {};
}

// One that no call has needed would be as the constructor leaves it. All pairs of states would be too many:
// of the second object it counts whether it has changed, and each of its states is new once.
SequenceSearch::States SequenceSearch::states_of(OperationId constructor, const CallRun& run) const {
  if (!operations_.has_other) return {run.state, ""};
  const std::string& fresh = fresh_.at(constructor);
  const bool has_changed = !run.other_state.empty() && run.other_state != fresh;
  return {run.state + (has_changed ? " other: " : ""), has_changed ? run.other_state : fresh};
}

bool SequenceSearch::is_new(const States& states) {
  const bool is_new_state = states_.insert(states.both).second;
  const bool is_new_other = other_states_.insert(states.other).second;
  return is_new_state || is_new_other;
}

void SequenceSearch::add_node(SequenceNode node) {
  open_.insert({node.gain, node.calls.size(), static_cast<uint32_t>(nodes_.size())});
  nodes_.push_back(std::move(node));
}

size_t SequenceSearch::cover(const CallFootprint& footprint) {
  std::vector<uint64_t> added;
  for (const uint64_t key : footprint.coverage)
    if (covered_.insert(key).second) added.push_back(key);
  const size_t gain = added.size();
  if (gain > 0) raises_.push_back(std::move(added));
  return gain;
}

bool SequenceSearch::has_results_for(const SequenceNode& node, const Operation& operation) const {
  return std::all_of(operation.needs.begin(), operation.needs.end(), [&](uint32_t method) {
    return std::any_of(node.calls.begin(), node.calls.end(),
                       [&](OperationId made) { return operations_[made].callable == method; });
  });
}

// Which method has had each of its arguments last: that may have left it in the object, or taken it out.
uint64_t SequenceSearch::last_uses(const SequenceNode& node, const Operation& operation) const {
  uint64_t uses = 0;
  for (const std::string& argument : operation.arguments) {
    const auto last = std::find_if(node.calls.rbegin(), node.calls.rend(), [&](OperationId call) {
      const Operation& made = operations_[call];
      return !made.is_const &&
             std::find(made.arguments.begin(), made.arguments.end(), argument) != made.arguments.end();
    });
    uses = mix(uses, last == node.calls.rend() ? 0 : operations_[*last].callable + 1);
  }
  return uses;
}

Expected<ExploredCall> SequenceSearch::make_call(const SequenceNode& node, OperationId operation,
                                                 States* states) {
  CallPlan plan{.constructor = node.constructor, .before = node.calls, .threads = {}, .after = {}};
  plan.before.push_back(operation);
  Expected<CallRun> run = runner_.run_alone(plan, /*observes=*/true);
  if (!run) return tl::unexpected(run.error());
  ++counts_.sequences;
  *states = states_of(node.constructor, *run);
  ExploredCall call{.operation = operation,
                    .end = run->end,
                    .result = run->results.empty() ? CallResult{} : std::move(run->results.back()),
                    .footprint = std::move(run->last)};
  call.signature = call.footprint.signature();
  OperationEnds& ends = ends_[static_cast<uint32_t>(operation)];
  if (run->end == RunEnd::kFinished) {
    ++ends.good;
  } else {
    ends.bad = run->why;
    if (run->end == RunEnd::kHung) ++ends.hung;
    if (run->end == RunEnd::kFailed || run->end == RunEnd::kExited) ++ends.fatal;
  }
  return call;
}

// It has had its chances. One that blocks may still go on after other calls.
bool SequenceSearch::is_hopeless(OperationId operation) const {
  const OperationEnds& ends = ends_[static_cast<uint32_t>(operation)];
  return ends.hung > 0 || (ends.good == 0 && ends.fatal >= kChances);
}

Expected<std::optional<uint32_t>> SequenceSearch::expand_next() {
  if (open_.empty()) return std::nullopt;
  const uint32_t index = open_.begin()->node;
  open_.erase(open_.begin());
  const SequenceNode node = nodes_[index];  // a copy: nodes are added below
  std::vector<ExploredCall> explored;
  for (const Operation& operation : operations_.operations) {
    if (operation.is_constructor || operation.only_afterwards || !has_results_for(node, operation) ||
        is_hopeless(operation.id))
      continue;
    const uint64_t uses = last_uses(node, operation);
    if (options_.prunes && redundant_.contains({node.state, operation.id, uses})) {
      ++counts_.not_tried;
      continue;
    }
    States states;
    Expected<ExploredCall> call = make_call(node, operation.id, &states);
    if (!call) return tl::unexpected(call.error());
    if (call->end == RunEnd::kFinished || call->end == RunEnd::kBlocked) call->gain = cover(call->footprint);
    if (call->gain > 0) ++counts_.raising_calls;
    if (call->end == RunEnd::kFinished) {
      // A state that only sequences of full length have reached is still to be explored.
      const bool may_be_extended = node.calls.size() + 1 < options_.longest;
      const bool is_new_state = may_be_extended && is_new(states);
      const bool is_redundant = call->gain == 0 && !is_new_state;
      if (is_redundant) redundant_.insert({node.state, operation.id, uses});
      if ((!is_redundant || !options_.prunes) && may_be_extended) {
        SequenceNode child{.constructor = node.constructor,
                           .calls = node.calls,
                           .state = std::move(states.both),
                           .gain = call->gain,
                           .explored = {}};
        child.calls.push_back(operation.id);
        add_node(std::move(child));
      } else {
        ++counts_.not_extended;
      }
    }
    explored.push_back(std::move(*call));
  }
  counts_.states = states_.size();
  nodes_[index].explored = std::move(explored);
  nodes_[index].is_expanded = true;
  return index;
}

std::vector<Unusable> SequenceSearch::unusable() const {
  std::vector<Unusable> list;
  for (size_t i = 0; i < ends_.size(); ++i) {
    if (ends_[i].bad.empty() || (ends_[i].good > 0 && ends_[i].hung == 0)) continue;
    list.push_back({operations_.operations[i].label, "called alone, it ended with " + ends_[i].bad, ""});
  }
  return list;
}

}  // namespace heddle::generate
