// InputKeeper: which of the inputs that differ are kept for the user: those that differ again in fresh
// processes, as small as they get, one for each way to differ and a few for each sequence of changes.
#pragma once

#include <chrono>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "interact/campaign/campaign.h"
#include "support/cpu_time.h"

namespace heddle::interact {

class InputKeeper {
 public:
  using Statements = std::vector<StatementIndex>;

  struct Candidate {
    concolic::ProgramInput input;
    Statements sequence;  // of changed statements that it executes
    Tier tier = Tier::kSymbolic;
    uint64_t at_execution = 0;
    bool is_small = false;      // need not be made smaller
    bool asks_guarded = false;  // the guarded forms, whatever it shows
  };

  // All must outlive it.
  InputKeeper(DirectedSearch& search, Differential& differential, const CampaignOptions& options,
              CampaignResult* result)
      : search_(search), differential_(differential), options_(options), result_(*result) {}

  // Runs it in processes; the failures that it shows.
  Expected<std::vector<uint32_t>> try_input(const Candidate& candidate);

  // The number of a failure with this name.
  uint32_t failure(const std::string& name);

  // Memory errors often show in nothing but a sanitizer's report. Its programs are slow, so one input of each
  // sequence is asked, as long as that takes a small part of the time.
  bool wants_report(const Statements& sequence) const;
  bool has_time_for_report() const;

 private:
  using Clock = std::chrono::steady_clock;
  using Failures = std::vector<uint32_t>;
  using Way = std::pair<Failures, std::vector<Aspect>>;

  Expected<Failures> look_for_report(const Candidate& candidate, Differing* differing);
  Expected<Failures> look_at(const Candidate& candidate, Differing* differing);
  Failures failures_of(const Differing& differing);
  bool is_wanted(const Statements& sequence, const Failures& failures, const std::vector<Aspect>& aspects);
  Expected<void> keep(const Candidate& candidate, const Differing& found, Difference difference,
                      const Failures& failures);
  bool is_known(const KeptInput& kept) const;
  Expected<void> minimise(KeptInput* kept);

  DirectedSearch& search_;
  Differential& differential_;
  const CampaignOptions& options_;
  CampaignResult& result_;
  const Clock::time_point began_ = Clock::now();
  const std::chrono::duration<double> began_at_ = cpu_time_with_children();
  Clock::duration guarded_for_{};
  std::set<Statements> guarded_;
  std::set<Failures> seen_failures_;
  std::map<Statements, std::set<Way>> looked_at_;
};

}  // namespace heddle::interact
