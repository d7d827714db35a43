// Ranker: in which order tests reveal most, soonest.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace heddle::select {

// What a test covers of each class of goals, by the goals' numbers. Goals of an earlier class count before
// those of a later one.
using Goals = std::vector<std::vector<uint32_t>>;

struct Candidate {
  std::string name;
  Goals goals;
  uint32_t strength = 0;  // how well it does what it does; decides between those that add as much
};

// Always next the candidate that covers most goals not yet covered; once none adds any, all goals are open
// again. Of those that add as much the strongest, and then as the seed has it, whatever the order in which
// candidates are given. Gives indices.
std::vector<uint32_t> rank(const std::vector<Candidate>& candidates, uint64_t seed);

}  // namespace heddle::select
