#include "interact/campaign/interaction_error.h"

#include <algorithm>
#include <map>
#include <set>

namespace heddle::interact {
namespace {

using Statements = std::vector<StatementIndex>;

bool contains(const Statements& statements, StatementIndex statement) {
  return std::find(statements.begin(), statements.end(), statement) != statements.end();
}

// A loop executes a statement again and again; what matters is that it was executed before the next one.
Statements without_repetitions(const Statements& sequence) {
  Statements once;
  for (const StatementIndex statement : sequence)
    if (!contains(once, statement)) once.push_back(statement);
  return once;
}

// In the order of the shortest; of a statement that it executes more than once, the last time counts: what
// it leaves is what the rest of the execution sees.
Statements common_to_all(std::vector<const Statements*> sequences) {
  std::stable_sort(sequences.begin(), sequences.end(),
                   [](const Statements* a, const Statements* b) { return a->size() < b->size(); });
  Statements common(sequences.front()->rbegin(), sequences.front()->rend());
  common = without_repetitions(common);
  std::reverse(common.begin(), common.end());
  std::erase_if(common, [&](StatementIndex statement) {
    return !std::all_of(sequences.begin(), sequences.end(),
                        [&](const Statements* sequence) { return contains(*sequence, statement); });
  });
  return common;
}

class ErrorFinder {
 public:
  ErrorFinder(const ChangeGraph& graph, const std::vector<TriedInput>& tried)
      : graph_(graph), tried_(tried) {}

  std::vector<InteractionError> find() {
    std::map<uint32_t, std::vector<const TriedInput*>> failing;
    for (const TriedInput& input : tried_)
      for (const uint32_t failure : std::set<uint32_t>(input.failures.begin(), input.failures.end()))
        failing[failure].push_back(&input);
    std::vector<InteractionError> errors;
    for (const auto& [failure, inputs] : failing) add_error(failure, inputs, &errors);
    return errors;
  }

 private:
  uint32_t skipping(StatementIndex statement) const {
    uint32_t count = 0;
    for (const TriedInput& input : tried_)
      if (!contains(input.sequence, statement)) count += input.inputs;
    return count;
  }

  void add_error(uint32_t failure, const std::vector<const TriedInput*>& inputs,
                 std::vector<InteractionError>* errors) const {
    std::vector<const Statements*> sequences;
    for (const TriedInput* input : inputs) sequences.push_back(&input->sequence);
    const Statements candidates = common_to_all(sequences);
    if (candidates.size() < 2) return;
    const Meeting meeting = best_meeting(candidates, inputs);
    if (meeting.critical.size() < 2) return;
    InteractionError error;
    error.failure = failure;
    error.critical = meeting.critical;
    error.locations = meeting.locations;
    for (const StatementIndex statement : error.critical) error.skipping.push_back(skipping(statement));
    // If all inputs execute all of it, nothing tells that it matters.
    if (std::all_of(error.skipping.begin(), error.skipping.end(), [](uint32_t count) { return count == 0; }))
      return;
    error.is_ordered = std::all_of(sequences.begin(), sequences.end(), [&](const Statements* sequence) {
      return common_sequence(error.critical, *sequence).size() == error.critical.size();
    });
    for (const TriedInput* input : inputs) error.failing += input->inputs;
    errors->push_back(std::move(error));
  }

  struct Meeting {
    Statements critical;
    Statements locations;
  };

  // The most candidates that meet in one node; and all nodes in which they do.
  Meeting best_meeting(const Statements& candidates, const std::vector<const TriedInput*>& inputs) const {
    Meeting best;
    for (const ChangeNode* node : nodes_in_all(inputs)) {
      Statements meeting;
      for (const StatementIndex candidate : candidates)
        if (candidate == node->statement ||
            std::binary_search(node->changes.begin(), node->changes.end(), candidate))
          meeting.push_back(candidate);
      if (meeting.size() < 2 || meeting.size() < best.critical.size()) continue;
      if (meeting.size() > best.critical.size()) best = {meeting, {}};
      if (meeting == best.critical) best.locations.push_back(node->statement);
    }
    const auto rank = [&](StatementIndex statement) {
      const ChangeNode::Kind kind = graph_.nodes[graph_.node_of(statement)].kind;
      return kind == ChangeNode::Kind::kInteraction ? 0 : kind == ChangeNode::Kind::kOutput ? 1 : 2;
    };
    std::stable_sort(best.locations.begin(), best.locations.end(),
                     [&](StatementIndex a, StatementIndex b) { return rank(a) < rank(b); });
    return best;
  }

  // In the order in which the first of the inputs comes through them.
  std::vector<const ChangeNode*> nodes_in_all(const std::vector<const TriedInput*>& inputs) const {
    std::vector<const ChangeNode*> nodes;
    for (const StatementIndex statement : without_repetitions(inputs.front()->nodes)) {
      const bool everywhere = std::all_of(inputs.begin(), inputs.end(), [&](const TriedInput* input) {
        return contains(input->nodes, statement);
      });
      const uint32_t node = graph_.node_of(statement);
      if (everywhere && node != kNone) nodes.push_back(&graph_.nodes[node]);
    }
    return nodes;
  }

  const ChangeGraph& graph_;
  const std::vector<TriedInput>& tried_;
};

}  // namespace

std::vector<StatementIndex> common_sequence(const std::vector<StatementIndex>& a,
                                            const std::vector<StatementIndex>& b) {
  // longest[i][j]: of a from i on and b from j on.
  std::vector<std::vector<uint32_t>> longest(a.size() + 1, std::vector<uint32_t>(b.size() + 1, 0));
  for (size_t i = a.size(); i-- > 0;)
    for (size_t j = b.size(); j-- > 0;)
      longest[i][j] =
          a[i] == b[j] ? longest[i + 1][j + 1] + 1 : std::max(longest[i + 1][j], longest[i][j + 1]);
  std::vector<StatementIndex> common;
  for (size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    if (a[i] == b[j]) {
      common.push_back(a[i]);
      ++i;
      ++j;
    } else if (longest[i][j + 1] == longest[i][j]) {
      ++j;
    } else {
      ++i;
    }
  }
  return common;
}

std::vector<InteractionError> find_interaction_errors(const ChangeGraph& graph,
                                                      const std::vector<TriedInput>& tried) {
  return ErrorFinder(graph, tried).find();
}

}  // namespace heddle::interact
