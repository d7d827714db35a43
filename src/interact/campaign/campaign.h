// Campaign: one `heddle interact`: generates inputs along the change sequence graph, tries each on both
// versions, keeps what differs, and says which of it is a change interaction error.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "interact/campaign/interaction_error.h"
#include "interact/search/directed_search.h"
#include "interact/trial/differential.h"
#include "support/error.h"

namespace heddle::interact {

// What was kept of the inputs of one sequence of changed statements.
struct KeptInput {
  Differing differing;  // minimised, confirmed
  Difference difference = Difference::kDiffers;
  std::vector<Judgement> judgements;     // by golden version
  std::vector<StatementIndex> sequence;  // that the minimised input executes
  uint64_t found_at_execution = 0;
  std::chrono::duration<double> found_at_cpu{};
};

struct CampaignResult {
  std::vector<KeptInput> kept;  // one or a few for each sequence and way to differ
  std::vector<InteractionError> interaction_errors;
  SearchCounts search;
  uint64_t inputs_tried = 0;
  uint64_t inputs_differing = 0;
  uint64_t on_critical_sequences = 0;  // of the inputs tried
  bool complete = false;               // no open state is left
};

struct CampaignOptions {
  std::chrono::steady_clock::time_point deadline;
  size_t most_per_sequence = 3;
  std::function<void(const CampaignResult&)> progress;  // may be empty
};

// The main loop.
Expected<CampaignResult> run_campaign(const ProgramGraph& graph, DirectedSearch& search,
                                      Differential& differential, const CampaignOptions& options);

}  // namespace heddle::interact
