// Preparation: everything that a campaign needs, made of a project and its revisions: the program's versions
// in all their forms, the change sequence graph, and the engines set to work on them.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "change/project.h"
#include "change/revision.h"
#include "change/source_change.h"
#include "interact/campaign/campaign.h"
#include "interact/campaign/input_shape.h"
#include "interact/campaign/option_words.h"
#include "interact/fuzz/fast_tier.h"
#include "interact/program_graph.h"
#include "interact/search/directed_search.h"
#include "interact/trial/differential.h"
#include "interact/versions/program_version.h"
#include "support/error.h"

namespace heddle::interact {

struct ChangedProgramRequest {
  const Repository& repository;
  const Project& project;
  RevisionPair revisions;
  std::vector<Revision> golden;
  std::filesystem::path store;
  std::filesystem::path compilers;
  std::string program;       // target, path or name of the executable; or of the unit with the function
  bool is_function = false;  // LLVMFuzzerTestOneInput
  ChangeGraphOptions graph;
  std::function<void(const std::string&)> progress;
};

// The program before and after the change, and what the change is in it.
struct ChangedVersions {
  ProgramVersion base;
  ProgramVersion head;
  std::vector<ProgramVersion> golden;
  SourceChange change;
  ProgramGraph graph;
  OptionWords words;
  std::vector<std::string> not_understood;  // units that could not be compiled for the analysis
};

Expected<ChangedVersions> prepare_versions(const ChangedProgramRequest& request);

struct EngineRequest {
  std::filesystem::path store;
  std::filesystem::path compilers;
  std::string program;
  bool is_function = false;
  SearchOptions search;
  Tier tier = Tier::kBoth;
  std::vector<std::string> dictionary;  // words to try in inputs
  IgnoredLines ignored;
  std::chrono::milliseconds run_timeout{2'000};
  std::function<void(const std::string&)> progress;
};

// The head in the form that tells its paths, the search over these, and the trial of what it finds. Lives in
// a scratch folder of its own, which goes with it.
class Engines {
 public:
  // `versions` must outlive it.
  static Expected<std::unique_ptr<Engines>> create(const ChangedVersions& versions, const InputShape& shape,
                                                   const EngineRequest& request);
  ~Engines();
  Engines(const Engines&) = delete;

  DirectedSearch& search() { return *search_; }
  Differential& differential() { return *differential_; }
  const concolic::ConcolicRunner& runner() const { return *runner_; }
  // nullptr: the tier is not asked for, or there is no way to have it.
  fuzz::FastTier* fast() { return fast_ ? &*fast_ : nullptr; }
  CampaignTiers tiers() { return {*search_, searches_, fast()}; }
  // What the user should know of the fast tier: "" or a sentence.
  const std::string& fast_trouble() const { return fast_trouble_; }

 private:
  Engines() = default;

  Expected<void> create_fast(VersionMaker& maker, const ChangedVersions& versions, const InputShape& shape,
                             const EngineRequest& request);

  std::filesystem::path folder_;
  std::unique_ptr<concolic::ConcolicRunner> runner_;
  std::unique_ptr<DirectedSearch> search_;
  std::unique_ptr<Differential> differential_;
  std::optional<fuzz::FastTier> fast_;
  std::string fast_trouble_;
  bool searches_ = true;
};

}  // namespace heddle::interact
