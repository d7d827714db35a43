// FastInputs: what a campaign does with the fast tier: lets it run, has what it finds looked at, and keeps
// account of how many inputs executed which changes.
//
// What differs as nothing before is looked at when it comes; the same after another sequence of changes only
// in a part of the time, since each takes as long as ten thousand executions.
#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "interact/campaign/campaign.h"
#include "interact/campaign/input_keeper.h"
#include "interact/campaign/interaction_error.h"
#include "interact/fuzz/fast_tier.h"
#include "interact/search/targets.h"

namespace heddle::interact {

class FastInputs {
 public:
  using Clock = std::chrono::steady_clock;

  // All must outlive it.
  FastInputs(const ProgramGraph& graph, DirectedSearch& search, fuzz::FastTier& tier, InputKeeper& keeper,
             Targets& reached, const CampaignOptions& options, CampaignResult* result)
      : graph_(graph),
        search_(search),
        tier_(tier),
        keeper_(keeper),
        reached_(reached),
        options_(options),
        result_(*result) {}

  // Ends in time for the campaign's deadline.
  Expected<void> run_slice(std::chrono::milliseconds cpu_time);
  void add_seed(concolic::ProgramInput seed) { seeds_.push_back(std::move(seed)); }

  // Nothing new for a while: other ways may be better. `deep`: for long.
  bool is_on_plateau() const;
  bool is_on_deep_plateau() const;
  bool is_exhausted() const { return last_.is_exhausted; }
  // The inputs nearest to what no input has reached, each once.
  std::vector<concolic::ProgramInput> take_nearest();

  // All inputs that were tried, those that are alike together.
  std::vector<TriedInput> tried() const;

 private:
  using Statements = std::vector<StatementIndex>;
  struct Traced {
    Statements nodes, changes;
  };

  void take_difference(const fuzz::FoundDifference& found);
  Expected<void> look_at(const fuzz::FoundDifference& found);
  void look_at_postponed();
  void postpone_report(const fuzz::KeptForCorpus& kept);
  void look_for_reports();
  Expected<void> look_for_report(const fuzz::KeptForCorpus& kept);
  void take_report(const fuzz::SliceReport& report);
  Statements statements(const std::vector<uint32_t>& nodes) const;
  std::vector<uint32_t> failures_of(uint64_t wrong_for);
  void note(const Expected<void>& done);

  const ProgramGraph& graph_;
  DirectedSearch& search_;
  fuzz::FastTier& tier_;
  InputKeeper& keeper_;
  Targets& reached_;  // of the graph, by inputs of all tiers
  const CampaignOptions& options_;
  CampaignResult& result_;
  const Clock::time_point began_ = Clock::now();
  Expected<void> status_;
  std::vector<concolic::ProgramInput> seeds_;
  std::set<concolic::ProgramInput> sent_nearest_;
  std::deque<fuzz::FoundDifference> postponed_;
  // What only the guarded forms may tell; first those of sequences that none was asked of.
  std::deque<fuzz::KeptForCorpus> without_report_;
  std::set<std::vector<uint32_t>> sequences_;
  Clock::duration looked_for_{};  // at what is postponed when there is much
  std::vector<uint32_t> done_;
  fuzz::SliceReport last_;
  std::vector<Traced> traces_;
  std::map<std::pair<uint32_t, uint32_t>, uint64_t> counts_;  // by trace and way
  std::map<uint32_t, std::vector<uint32_t>> failures_;        // by way
  std::vector<TriedInput> looked_at_;
};

}  // namespace heddle::interact
