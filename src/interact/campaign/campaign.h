// Campaign: one `heddle interact`: generates inputs along the change sequence graph, tries each on both
// versions, keeps what differs, and says which of it is a change interaction error.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "interact/campaign/interaction_error.h"
#include "interact/fuzz/fast_tier.h"
#include "interact/search/directed_search.h"
#include "interact/trial/differential.h"
#include "support/error.h"

namespace heddle::interact {

// What makes inputs.
enum class Tier {
  kFast,      // changes inputs at random, hundred thousand times a second (interact/fuzz)
  kSymbolic,  // solves for branches (interact/search)
  kBoth,      // fast, and symbolic where that finds nothing new
};

// An input that differs, for a user to keep: confirmed, as small as it gets.
struct KeptInput {
  Differing differing;
  Difference difference = Difference::kDiffers;
  std::vector<Judgement> judgements;     // by golden version; one without any
  std::vector<StatementIndex> sequence;  // changed statements that it executes
  std::vector<uint32_t> failures;        // in CampaignResult::failures
  Tier tier = Tier::kSymbolic;           // that found it
  uint64_t found_at_execution = 0;       // of this tier
  uint64_t found_at_solver_call = 0;
  std::chrono::duration<double> found_at_cpu{};
};

struct FastCounts {
  uint64_t executions = 0;  // of inputs, in all versions that it takes
  uint64_t in_processes = 0;
  uint64_t corpus = 0;
  uint64_t edges = 0;       // of the head's code
  uint64_t lost_hosts = 0;  // processes that an input got the better of
  std::chrono::duration<double> seconds{};
};

struct CampaignResult {
  std::vector<KeptInput> kept;  // one or a few for each sequence of changed statements
  // What counts as a failure of the head: "not as FIX" for a golden version of that name, a signal, a
  // sanitizer's report.
  std::vector<std::string> failures;
  std::vector<InteractionError> interaction_errors;
  SearchCounts search;
  FastCounts fast;
  uint64_t reached_edges = 0;  // of the graph, by inputs of all tiers
  uint64_t inputs_tried = 0;
  uint64_t inputs_differing = 0;  // among them those that were not confirmed
  uint64_t inputs_failing = 0;
  uint64_t inputs_unstable = 0;  // the program differs from itself
  // Of the inputs tried: those that execute a critical sequence, and how many of these fail.
  uint64_t on_critical_sequences = 0;
  uint64_t failing_on_critical_sequences = 0;
  bool complete = false;                     // the search has no open state left
  std::vector<StatementIndex> not_executed;  // changes that the program can come to, and no input has
};

struct CampaignOptions {
  std::chrono::steady_clock::time_point deadline;
  size_t most_per_sequence = 3;
  size_t most_kept = 100;
  size_t most_minimisation_steps = 300;
  std::vector<std::string> golden;            // names of the golden versions, in their order
  std::vector<concolic::ProgramInput> seeds;  // of the fast tier
  // Whether a smaller input is still of the shape that the user wants; empty: each is.
  std::function<bool(const concolic::ProgramInput&)> is_of_shape;
  // All may be empty; the last two are asked after each input, or many of the fast tier.
  std::function<void(const KeptInput&)> kept;
  std::function<void(const CampaignResult&)> progress;
  std::function<bool(const CampaignResult&)> is_enough;
};

struct CampaignTiers {
  DirectedSearch& search;  // asked which changes an input executes, if nothing else
  bool searches = true;
  fuzz::FastTier* fast = nullptr;  // none: it makes no inputs
};

// The main loop.
Expected<CampaignResult> run_campaign(const ProgramGraph& graph, const CampaignTiers& tiers,
                                      Differential& differential, const CampaignOptions& options);

// One word for all judgements of an input: the gravest.
Judgement gravest(const std::vector<Judgement>& judgements);

}  // namespace heddle::interact
