// What all tests of detectors need: run one method, and compare by sites.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "detect/detect.h"
#include "trace/trace_builder.h"

namespace heddle::detect {

inline Detections detect_all(const trace::Trace& trace, DetectOptions options = {}) {
  trace::TraceEvents events(trace);
  auto found = detect(events, options);
  EXPECT_TRUE(found) << found.error().message;
  return found ? std::move(*found) : Detections{};
}

// Pairs of sites, as numbers given by at(), smaller one first.
using SitePairs = std::set<std::pair<uint64_t, uint64_t>>;

inline SitePairs sites_of(const trace::Trace& trace, const std::vector<PairFinding>& found) {
  SitePairs pairs;
  for (const PairFinding& pair : found) {
    const uint64_t first = trace.sites()[pair.first.site].offset;
    const uint64_t second = trace.sites()[pair.second.site].offset;
    pairs.insert(std::minmax({first, second}));
  }
  return pairs;
}

inline SitePairs races_of(const trace::TraceBuilder& builder) {
  const trace::Trace trace = builder.build();
  return sites_of(trace, detect_all(trace).races);
}

}  // namespace heddle::detect
