// How many interleaving requirements generate covers over time, next to random tests.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "generate/generator.h"
#include "prepared_subject.h"
#include "support/error.h"

namespace heddle::bench {

struct CoveragePoint {
  double seconds = 0;
  uint64_t covered = 0;  // until then
};

struct CoverageGrowth {
  std::vector<CoveragePoint> points;  // ascending, where it grew
  generate::GeneratorStatus status;   // in the end

  uint64_t covered_within(double seconds) const;
};

struct CoverageFigures {
  std::string name;
  CoverageGrowth heddle;
  CoverageGrowth random;
  uint64_t covered_by_both = 0;   // of random's, those that heddle has covered too, and …
  std::vector<uint64_t> lacking;  // … has not
};

struct CoverageOptions {
  std::chrono::milliseconds heddle{15'000};
  std::chrono::milliseconds random{600'000};
  uint64_t seed = 1;
  bool keeps_random = false;  // takes what random tests have covered in an earlier run of as many seconds
};

Expected<CoverageFigures> compare_coverage(const PreparedSubject& prepared, const CoverageOptions& options);

}  // namespace heddle::bench
