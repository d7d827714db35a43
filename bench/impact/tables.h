#pragma once

#include <optional>
#include <string>
#include <vector>

#include "common/bar.h"
#include "common/process.h"
#include "contenders.h"

namespace heddle::bench {

struct BugFigures {
  std::string name;
  std::string kind;
  ImpactSearch impact;
  Search prediction;
  Search random;
  Search stress;

  // Patterns of the whole execution, for each that is explored.
  double reduction() const;
};

std::string print_impact(const std::vector<BugFigures>& bugs, bool markdown);
std::string print_searches(const std::vector<BugFigures>& bugs, bool markdown);
std::vector<Bar> bars(const std::vector<BugFigures>& bugs, const std::optional<Usage>& long_traces);

}  // namespace heddle::bench
