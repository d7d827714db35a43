// Detectors against brute force, on thousands of small random executions.
#include <tuple>

#include "brute_force.h"
#include "detect/shadow.h"
#include "detecting.h"
#include "random_events.h"
#include "trace/dependence.h"

namespace heddle::detect {
namespace {

using trace::Trace;

constexpr uint64_t kSeeds = 3000;
using Pairs = std::set<std::pair<uint64_t, uint64_t>>;

Pairs events_of(const std::vector<PairFinding>& found) {
  Pairs pairs;
  for (const PairFinding& pair : found) pairs.emplace(pair.first.event, pair.second.event);
  return pairs;
}

// The second event of the race that ends first.
uint64_t first_end(const Pairs& races) {
  uint64_t first = ~uint64_t{0};
  for (const auto& [a, b] : races) first = std::min(first, b);
  return first;
}

TEST(OrderProperty, HappensBeforeAndShbRacesAreThoseOfTheDefinition) {
  uint64_t racy = 0, marked = 0;
  for (uint64_t seed = 0; seed < kSeeds; ++seed) {
    const Trace trace = random_events(seed);
    const BruteForce happens_before(trace, {.locks = true, .reads_from = false});
    const BruteForce with_reads_from(trace, {.locks = true, .reads_from = true});
    const Pairs expected = happens_before.races();
    const Pairs expected_certain = with_reads_from.races();
    Pairs found, certain;
    for (const PairFinding& race : detect_all(trace).races) {
      const std::pair pair(race.first.event, race.second.event);
      found.insert(pair);
      if (race.certain) certain.insert(pair);
      ASSERT_TRUE(expected.contains(pair)) << "seed " << seed << ": " << pair.first << " " << pair.second;
      ASSERT_EQ(race.certain, expected_certain.contains(pair))
          << "seed " << seed << ": " << pair.first << " " << pair.second;
    }
    // Not every pair is kept, but none is lost that would leave a location without a race.
    ASSERT_EQ(first_end(found), first_end(expected)) << "seed " << seed;
    ASSERT_EQ(first_end(certain), first_end(expected_certain)) << "seed " << seed;
    racy += expected.empty() ? 0 : 1;
    marked += expected == expected_certain ? 0 : 1;
  }
  EXPECT_GT(racy, kSeeds / 4);
  EXPECT_GT(marked, kSeeds / 20);
}

TEST(OrderProperty, EveryRacingByteIsReported) {
  for (uint64_t seed = 0; seed < kSeeds; ++seed) {
    const Trace trace = random_events(seed, {.length = 40});
    const auto bytes = [&](const Pairs& races) {
      std::set<uint64_t> racing;
      for (const auto& [a, b] : races) {
        const auto &x = trace.events()[a], &y = trace.events()[b];
        for (uint64_t byte = std::max(x.offset, y.offset);
             byte < std::min(x.offset + x.size, y.offset + y.size); ++byte)
          racing.insert(byte);
      }
      return racing;
    };
    const BruteForce happens_before(trace, {.locks = true, .reads_from = false});
    ASSERT_EQ(bytes(events_of(detect_all(trace).races)), bytes(happens_before.races())) << "seed " << seed;
  }
}

TEST(OrderProperty, HybridPairsAreThoseOfTheDefinition) {
  uint64_t masked = 0;
  for (uint64_t seed = 0; seed < kSeeds; ++seed) {
    // Where threads wait for each other, few pairs are left that locks mask.
    const uint32_t waits = seed % 4 == 0 ? 1 : 0;
    const Trace trace = random_events(seed, {.forked_first = 3,
                                             .atomics = 0,
                                             .semaphores = 0,
                                             .barriers = waits,
                                             .futexes = waits,
                                             .onces = waits,
                                             .length = 60});
    const BruteForce must_order(trace, {.locks = false, .reads_from = false});
    const Pairs expected = must_order.races_without_common_lock();
    ASSERT_EQ(events_of(detect_all(trace).potential_races), expected) << "seed " << seed;
    const Pairs races = BruteForce(trace, {}).races();
    masked += std::ranges::includes(races, expected) ? 0 : 1;
  }
  EXPECT_GT(masked, kSeeds / 50);
}

TEST(OrderProperty, CyclesAreFoundWhereThereAreAny) {
  uint64_t cyclic = 0;
  for (uint64_t seed = 0; seed < kSeeds; ++seed) {
    const uint32_t waits = seed % 4 == 0 ? 1 : 0;
    const Trace trace = random_events(seed, {.forked_first = 3,
                                             .locks = 3,
                                             .variables = 0,
                                             .atomics = 0,
                                             .semaphores = 1,
                                             .barriers = waits,
                                             .futexes = waits,
                                             .onces = waits,
                                             .length = 240});
    const BruteForce must_order(trace, {.locks = false, .reads_from = false});
    const bool expected = must_order.has_cycle(4);
    ASSERT_EQ(!detect_all(trace).cycles.empty(), expected) << "seed " << seed;
    cyclic += expected ? 1 : 0;
  }
  EXPECT_GT(cyclic, kSeeds / 50);
}

// What DetectOptions::relevances promises: who wants findings at some sites loses none of them, and gets no
// others, if memory that these sites do not touch is passed over.
TEST(Relevance, FindingsAtSitesDoNotDependOnOtherMemory) {
  const auto at_sites = [](const std::vector<PairFinding>& found, const std::vector<bool>& sites) {
    std::vector<std::tuple<uint64_t, uint64_t, uint64_t, bool>> at;
    for (const PairFinding& pair : found)
      if (sites[pair.first.site] || sites[pair.second.site])
        at.emplace_back(pair.first.event, pair.second.event, pair.count, pair.certain);
    return at;
  };
  size_t findings = 0;
  for (uint64_t seed = 1; seed <= 2000; ++seed) {
    const Trace trace = random_events(seed, {.variables = 4, .length = 60});
    std::vector<bool> sites(trace.sites().size());
    for (size_t site = seed % 5; site < sites.size(); site += 5) sites[site] = true;
    std::set<std::pair<uint32_t, uint64_t>> touched;
    for (const trace::EventRecord& event : trace.events())
      if (sites[event.site] && trace::has_extent(event.kind))
        for_each_granule(event, [&](uint64_t granule, uint8_t) { touched.emplace(event.object, granule); });
    std::vector<Relevance> relevances;
    for (const trace::EventRecord& event : trace.events()) {
      relevances.push_back(Relevance::kOrder);
      if (!trace::has_extent(event.kind)) continue;
      for_each_granule(event, [&](uint64_t granule, uint8_t) {
        if (touched.contains({event.object, granule}))
          relevances.back() = sites[event.site] ? Relevance::kWanted : Relevance::kCompared;
      });
    }
    const Detections all = detect_all(trace);
    const Detections wanted = detect_all(trace, {.relevances = relevances});
    EXPECT_EQ(at_sites(wanted.races, sites), at_sites(all.races, sites)) << "seed " << seed;
    EXPECT_EQ(at_sites(wanted.potential_races, sites), at_sites(all.potential_races, sites))
        << "seed " << seed;
    EXPECT_EQ(at_sites(wanted.uses_after_free, sites), at_sites(all.uses_after_free, sites));
    EXPECT_EQ(at_sites(wanted.potential_races, sites).size(), wanted.potential_races.size());
    findings += at_sites(all.potential_races, sites).size();
  }
  EXPECT_GT(findings, 1000u);
}

}  // namespace
}  // namespace heddle::detect
