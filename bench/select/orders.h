// Orders of tests that heddle's own is compared with, and how soon an order reveals the races.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "history/test_records.h"
#include "outcome.h"

namespace heddle::bench {

using TestOrder = std::vector<std::string>;

// Always next the test that has executed most blocks not yet executed by those before it; once none adds any,
// all blocks count again.
TestOrder additional_block_order(const TestOrder& tests, const std::vector<KnownTest>& history,
                                 uint64_t seed);
TestOrder random_order(TestOrder tests, uint64_t seed);

// APFD over those of `races` that one of the tests reveals; nothing if none does.
std::optional<double> apfd_of(const TestOrder& order, const TestOutcomes& outcomes,
                              const std::set<Race>& races);
// The mean over seeds 1 to `seeds`.
std::optional<double> mean_random_apfd(const TestOrder& tests, const TestOutcomes& outcomes,
                                       const std::set<Race>& races, uint64_t seeds);

}  // namespace heddle::bench
