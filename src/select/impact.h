// ImpAnalyzer: which shared variables of the new program the change may make race, and which block of the
// old one stands for each (ALGORITHMS section 4, step 2).
#pragma once

#include <map>
#include <string>
#include <vector>

#include "change/source_change.h"
#include "program/analyses.h"
#include "select/lock_changes.h"
#include "select/shared_variable.h"
#include "select/version_map.h"

namespace heddle::select {

struct ChangedProgram {
  std::vector<SharedVariable> variables;
  // Operations that the change adds, alters or removes and that order threads: a wait, a notify, a join.
  // Numbers of variables, each standing for one.
  std::vector<uint32_t> orderings;
  std::vector<OldBlock> old_blocks;
  std::vector<std::string> causes;  // what the change does, in words
};

struct ImpactOptions {
  bool slices = true;  // rule 5
  // Files whose meaning has changed in a way that is not in their text, and how.
  std::map<std::string, std::string> assumed;
};

// `variables` as the locator gives them, of the head.
ChangedProgram analyse_impact(const ProgramStructure& base, const AnalysedProgram& head,
                              const SourceChange& change, std::vector<SharedVariable> variables,
                              const ImpactOptions& options = {});

}  // namespace heddle::select
