#include "orders.h"

#include <algorithm>
#include <map>
#include <random>
#include <tuple>

#include "select/apfd.h"
#include "select/ranker.h"

namespace heddle::bench {

TestOrder additional_block_order(const TestOrder& tests, const std::vector<KnownTest>& history,
                                 uint64_t seed) {
  std::map<std::string, const TestRecord*> records;
  for (const KnownTest& test : history)
    if (test.is_of_tree) records[test.record.key.test] = &test.record;
  std::map<std::tuple<std::string, uint32_t, uint32_t>, uint32_t> blocks;  // numbered
  std::vector<select::Candidate> candidates;
  for (const std::string& test : tests) {
    std::vector<uint32_t> covered;
    if (const auto record = records.find(test); record != records.end()) {
      for (const auto& function : record->second->functions)
        for (const FunctionActivity::Block& block : function->blocks)
          covered.push_back(blocks
                                .try_emplace({function->file, block.line, block.column},
                                             static_cast<uint32_t>(blocks.size()))
                                .first->second);
    }
    candidates.push_back({test, {std::move(covered)}});
  }
  TestOrder order;
  for (const uint32_t candidate : select::rank(candidates, seed)) order.push_back(tests[candidate]);
  return order;
}

TestOrder random_order(TestOrder tests, uint64_t seed) {
  // Whatever order they come in.
  std::ranges::sort(tests);
  std::mt19937_64 random(seed);
  for (size_t i = tests.size(); i > 1; --i) std::swap(tests[i - 1], tests[random() % i]);
  return tests;
}

std::optional<double> apfd_of(const TestOrder& order, const TestOutcomes& outcomes,
                              const std::set<Race>& races) {
  std::map<Race, uint32_t> first;
  for (uint32_t i = 0; i < order.size(); ++i) {
    const auto outcome = outcomes.find(order[i]);
    if (outcome == outcomes.end()) continue;
    for (const Race& race : outcome->second.races)
      if (races.contains(race)) first.try_emplace(race, i + 1);
  }
  if (first.empty()) return std::nullopt;
  std::vector<uint32_t> positions;
  for (const auto& [race, position] : first) positions.push_back(position);
  return select::apfd(order.size(), positions);
}

std::optional<double> mean_random_apfd(const TestOrder& tests, const TestOutcomes& outcomes,
                                       const std::set<Race>& races, uint64_t seeds) {
  double sum = 0;
  for (uint64_t seed = 1; seed <= seeds; ++seed) {
    const std::optional<double> one = apfd_of(random_order(tests, seed), outcomes, races);
    if (!one) return std::nullopt;
    sum += *one;
  }
  return seeds == 0 ? std::nullopt : std::optional(sum / static_cast<double>(seeds));
}

}  // namespace heddle::bench
