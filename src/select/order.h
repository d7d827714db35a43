// The order of all tests: those that cover impacted pairs, those of which nothing is known, then the rest.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "select/coverage.h"
#include "select/impact.h"
#include "select/selector.h"

namespace heddle::select {

// Why a test is where it is in the order.
enum class Standing : uint8_t {
  kPairs,        // it covers impacted pairs, in different threads
  kNear,         // no test does that there, and this one comes nearest
  kNoHistory,    // what it does is not known
  kAssumed,      // something has changed that may concern it, or not
  kVariables,    // not selected, but it covers impacted variables
  kOtherShared,  // not selected; it covers shared variables
  kRest,
};

struct RankedTest {
  std::string name;
  Standing standing = Standing::kRest;
  size_t pairs = 0;                  // that it covers
  std::vector<uint32_t> covered;     // which: their numbers, sorted
  std::vector<std::string> reasons;  // in words, the best first

  bool is_selected() const { return standing <= Standing::kAssumed; }
};

// The tests by what is known of them.
struct Suite {
  Coverage coverage;
  std::vector<std::string> known;                            // by TestIndex
  std::vector<std::pair<std::string, std::string>> unknown;  // with the reason
  std::vector<std::pair<TestIndex, std::string>> near;       // those that come nearest, likewise
  std::vector<std::pair<TestIndex, std::string>> assumed;    // that something may concern, likewise
};

// Rules 1 to 4 say where the change is; what depends on it is beyond counting. And of memory that is not
// known, anything is a pair with anything. So a test that covers one more pair that surely means one memory,
// and is where the change is, comes before all that cover more of the others.
bool is_direct(const ChangedProgram& changed, const ImpactedPair& pair);

std::vector<RankedTest> order_tests(const ChangedProgram& changed, const std::vector<ImpactedPair>& pairs,
                                    const PairCoverage& covered, const Suite& suite, uint64_t seed);

}  // namespace heddle::select
