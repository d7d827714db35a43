// What `heddle interact` tells of a campaign: to people, as findings, and as the command's own fields of
// JSON.
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "interact/campaign/campaign.h"
#include "interact/campaign/preparation.h"
#include "report/run_result.h"

namespace heddle {

struct InteractStory {
  const interact::ChangedVersions& versions;
  const interact::CampaignResult& result;
  std::string program;             // its name
  std::vector<std::string> tests;  // by kept input: the file of its regression test; empty: none was written
};

// "tool.c:41  `width = n * 2`".
std::string statement_text(const interact::ProgramGraph& graph, interact::StatementIndex statement);

// "12 changes, 3 interaction locations, 9 outputs; --graph shows them".
std::string summarize_graph(const interact::ProgramGraph& graph);
// Kept inputs by the sequence that they execute, then the change interaction errors.
std::string tell_kept(const InteractStory& story);
std::string tell_interaction_errors(const InteractStory& story);
// One that is kept, while the campaign goes on.
std::string tell_found(const interact::KeptInput& kept, const std::string& program, double seconds);
// A line for the end.
std::string summarize(const InteractStory& story);

// Everything kept but progressions.
std::vector<Finding> findings_of(const InteractStory& story);
// `graph` and `differences` of docs/json.md, and what they refer to.
nlohmann::ordered_json own_fields(const InteractStory& story);

}  // namespace heddle
