// The campaigns of a subject: one for each guide and seed, until all seeded errors are found or time is over.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "interact/campaign/campaign.h"
#include "interact/search/directed_search.h"
#include "program_subject.h"

namespace heddle::bench {

// What it took to find a seeded error, from the beginning of the campaign on.
struct Found {
  double cpu_seconds = 0;
  uint64_t executions = 0;
  uint64_t solver_calls = 0;
};

struct CampaignFigures {
  interact::Tier tier = interact::Tier::kBoth;
  interact::Guide guide = interact::Guide::kGraph;
  uint64_t seed = 1;
  std::vector<std::optional<Found>> errors;  // by seeded error
  double cpu_seconds = 0;
  uint64_t executions = 0;
  uint64_t solver_calls = 0;
  uint64_t tried = 0;
  uint64_t differing = 0;
  uint64_t failing = 0;
  uint64_t on_critical = 0;
  uint64_t failing_on_critical = 0;
  size_t interaction_errors = 0;  // named by it
  size_t reached_edges = 0;
  uint64_t predicted = 0;
  uint64_t elsewhere = 0;
};

struct SubjectFigures {
  ProgramSubject subject;
  size_t lines = 0;  // of the base
  size_t changes = 0;
  size_t interactions = 0;
  size_t outputs = 0;
  size_t edges = 0;
  std::vector<CampaignFigures> campaigns;
  // Of the base against itself: every difference is a false one. Inputs of the search in processes, and of
  // the whole fast tier.
  uint64_t tried_against_itself = 0;
  uint64_t executed_against_itself = 0;
  uint64_t candidates_against_itself = 0;  // of these, before they were run again in processes
  uint64_t false_differences = 0;
};

struct CampaignSettings {
  std::filesystem::path work;
  std::filesystem::path compilers;
  std::chrono::duration<double> budget{};  // of CPU time
  uint64_t against_itself = 0;             // executions of the fast tier
  std::vector<interact::Tier> tiers;
  std::vector<interact::Guide> guides;
  std::vector<uint64_t> seeds;
  std::function<void(const std::string&)> progress;
};

Expected<SubjectFigures> run_campaigns(const ProgramSubject& subject, const CampaignSettings& settings);

const char* name_of(interact::Guide guide);
const char* name_of(interact::Tier tier);

}  // namespace heddle::bench
