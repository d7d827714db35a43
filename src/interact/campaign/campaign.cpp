#include "interact/campaign/campaign.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include "interact/campaign/fast_inputs.h"
#include "interact/campaign/input_keeper.h"
#include "interact/search/targets.h"
#include "support/interruption.h"

namespace heddle::interact {
namespace {

using Clock = std::chrono::steady_clock;
using Statements = std::vector<StatementIndex>;

// Of CPU time, before anything else is looked at.
constexpr std::chrono::milliseconds kFastSlice{250};
// How long each gets in turn, once the fast one finds nothing new.
constexpr std::chrono::seconds kTurn{2};

class Campaign {
 public:
  Campaign(const ProgramGraph& graph, const CampaignTiers& tiers, Differential& differential,
           const CampaignOptions& options)
      : graph_(graph),
        search_(tiers.search),
        options_(options),
        reached_(graph.flow.flow, graph.graph, Guide::kUndirected),
        keeper_(search_, differential, options, &result_),
        is_searching_(tiers.searches) {
    if (tiers.fast == nullptr) return;
    fast_.emplace(graph, search_, *tiers.fast, keeper_, reached_, options, &result_);
    compares_fast_ = tiers.fast->lives_in_host();
    for (const concolic::ProgramInput& seed : options.seeds) fast_->add_seed(seed);
  }

  Expected<CampaignResult> run() {
    Expected<void> done;
    while (done && !is_over()) done = is_turn_of_fast() ? run_fast() : run_search();
    // What was found is told all the same.
    if (!done && !was_interrupted()) return tl::unexpected(done.error());
    return conclude();
  }

 private:
  bool is_over() const {
    if (Clock::now() >= options_.deadline || was_interrupted()) return true;
    if (options_.is_enough && options_.is_enough(result_)) return true;
    if (!is_searching_ && result_.complete) return !fast_ || fast_->is_on_deep_plateau();
    return !is_searching_ && fast_->is_exhausted();
  }

  // The fast one as long as it finds something new, then both in turns.
  bool is_turn_of_fast() const {
    if (!fast_ || !is_searching_) return fast_.has_value();
    return !fast_->is_on_plateau() || Clock::now() < fast_until_;
  }

  Expected<void> run_fast() {
    const Expected<void> done = fast_->run_slice(kFastSlice);
    tell();
    return done;
  }

  Expected<void> run_search() {
    if (fast_)
      for (concolic::ProgramInput& input : fast_->take_nearest()) search_.add_seed(std::move(input));
    const Clock::time_point end =
        fast_ ? std::min(Clock::now() + kTurn, options_.deadline) : options_.deadline;
    while (Clock::now() < end && !is_over()) {
      const Expected<std::optional<SearchedInput>> next = search_.next(end);
      if (!next) return tl::unexpected(next.error());
      if (!*next) {
        if (Clock::now() >= end || was_interrupted()) break;
        is_searching_ = false;
        result_.complete = true;
        break;
      }
      if (const Expected<void> tried = try_input(**next); !tried) return tried;
      tell();
    }
    fast_until_ = Clock::now() + kTurn;
    return {};
  }

  // The fast tier compares versions in a thousandth of the time.
  Expected<void> try_input(const SearchedInput& searched) {
    std::vector<uint32_t> nodes;
    for (const StatementIndex statement : searched.nodes) nodes.push_back(graph_.graph.node_of(statement));
    reached_.reach(nodes);
    if (fast_) fast_->add_seed(searched.input);
    if (compares_fast_) return {};
    ++result_.inputs_tried;
    InputKeeper::Candidate candidate;
    candidate.input = searched.input;
    candidate.sequence = searched.sequence;
    candidate.at_execution = search_.counts().executions;
    Expected<std::vector<uint32_t>> failures = keeper_.try_input(candidate);
    if (!failures) return tl::unexpected(failures.error());
    ++tried_[{searched.sequence, searched.nodes, std::move(*failures)}];
    return {};
  }

  void tell() {
    take_counts();
    if (options_.progress) options_.progress(result_);
  }

  void take_counts() {
    result_.search = search_.counts();
    result_.reached_edges = std::max(reached_.reached_edges(), result_.search.reached_edges);
  }

  std::vector<StatementIndex> changes_not_executed(const std::vector<TriedInput>& tried) const {
    std::set<StatementIndex> executed;
    for (const TriedInput& input : tried) executed.insert(input.sequence.begin(), input.sequence.end());
    std::vector<StatementIndex> missing;
    for (const ChangeNode& node : graph_.graph.nodes)
      if (node.kind == ChangeNode::Kind::kChange && node.is_reached && !executed.contains(node.statement))
        missing.push_back(node.statement);
    return missing;
  }

  CampaignResult conclude() {
    std::vector<TriedInput> tried = fast_ ? fast_->tried() : std::vector<TriedInput>();
    for (const auto& [what, inputs] : tried_)
      tried.push_back({std::get<0>(what), std::get<1>(what), std::get<2>(what), inputs});
    result_.interaction_errors = find_interaction_errors(graph_.graph, tried);
    for (const TriedInput& input : tried) {
      if (!input.failures.empty()) result_.inputs_failing += input.inputs;
      const bool is_on = std::any_of(result_.interaction_errors.begin(), result_.interaction_errors.end(),
                                     [&](const InteractionError& error) {
                                       return common_sequence(error.critical, input.sequence).size() ==
                                              error.critical.size();
                                     });
      if (!is_on) continue;
      result_.on_critical_sequences += input.inputs;
      if (!input.failures.empty()) result_.failing_on_critical_sequences += input.inputs;
    }
    take_counts();
    result_.not_executed = changes_not_executed(tried);
    return std::move(result_);
  }

  const ProgramGraph& graph_;
  DirectedSearch& search_;
  const CampaignOptions& options_;
  CampaignResult result_;
  Targets reached_;
  InputKeeper keeper_;
  std::optional<FastInputs> fast_;
  bool compares_fast_ = false;
  bool is_searching_;
  Clock::time_point fast_until_;
  // Of the search, sequence, nodes, failures: how many inputs.
  std::map<std::tuple<Statements, Statements, std::vector<uint32_t>>, uint32_t> tried_;
};

}  // namespace

Expected<CampaignResult> run_campaign(const ProgramGraph& graph, const CampaignTiers& tiers,
                                      Differential& differential, const CampaignOptions& options) {
  return Campaign(graph, tiers, differential, options).run();
}

Judgement gravest(const std::vector<Judgement>& judgements) {
  for (const Judgement judgement :
       {Judgement::kRegression, Judgement::kIncompleteFix, Judgement::kError, Judgement::kProgression})
    if (std::find(judgements.begin(), judgements.end(), judgement) != judgements.end()) return judgement;
  return Judgement::kDifference;
}

}  // namespace heddle::interact
