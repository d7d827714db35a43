#include "coverage_growth.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "cpu_clock.h"
#include "kept_random.h"
#include "random_generator.h"
#include "support/interruption.h"

namespace heddle::bench {
namespace {

// Failures are looked into by another table.
class GrowthRecorder : public generate::GeneratorListener {
 public:
  void on_progress(const generate::GeneratorStatus& status) override {
    const uint64_t covered = status.requirements.covered;
    if (points.empty() || points.back().covered != covered) points.push_back({status.seconds, covered});
  }
  Expected<bool> on_failure(const generate::FoundFailure&) override { return true; }

  std::vector<CoveragePoint> points;
};

template <class SomeGenerator>
Expected<Grown> grow_with(const PreparedSubject& prepared, std::chrono::milliseconds budget, uint64_t seed) {
  const std::unique_ptr<Symbolizer> symbolizer = make_symbolizer();
  Expected<std::unique_ptr<generate::DriverSession>> session = open_session(prepared, *symbolizer);
  if (!session) return tl::unexpected(session.error());
  GrowthRecorder recorder;
  SomeGenerator generator(**session, prepared.driver.model, prepared.driver.operations, *symbolizer,
                          {.budget = budget,
                           .clock = cpu_clock(),
                           .seed = seed,
                           .most_failures = std::numeric_limits<size_t>::max(),
                           .reduces = false,
                           .search = {}},
                          recorder);
  Expected<generate::GeneratorResult> result = generator.run();
  if (!result) return tl::unexpected(result.error());
  return Grown{.growth = {.points = std::move(recorder.points), .status = result->status},
               .keys = generator.requirements().covered_keys()};
}

Expected<Grown> grow_random(const PreparedSubject& prepared, const CoverageOptions& options) {
  const std::filesystem::path file =
      prepared.folder / fmt::format("random-{}-{}.json", options.seed, options.random.count());
  if (options.keeps_random)
    if (std::optional<Grown> kept = read_kept(file)) return std::move(*kept);
  Expected<Grown> grown = grow_with<RandomGenerator>(prepared, options.random, options.seed);
  if (!grown || was_interrupted()) return grown;
  if (const Expected<void> written = keep(file, *grown); !written) return tl::unexpected(written.error());
  return grown;
}

}  // namespace

uint64_t CoverageGrowth::covered_within(double seconds) const {
  uint64_t covered = 0;
  for (const CoveragePoint& point : points)
    if (point.seconds <= seconds) covered = point.covered;
  return covered;
}

Expected<CoverageFigures> compare_coverage(const PreparedSubject& prepared, const CoverageOptions& options) {
  Expected<Grown> heddle = grow_with<generate::Generator>(prepared, options.heddle, options.seed);
  if (!heddle) return tl::unexpected(heddle.error());
  Expected<Grown> random = grow_random(prepared, options);
  if (!random) return tl::unexpected(random.error());
  std::vector<uint64_t> both;
  std::ranges::set_intersection(heddle->keys, random->keys, std::back_inserter(both));
  std::vector<uint64_t> lacking;
  std::ranges::set_difference(random->keys, heddle->keys, std::back_inserter(lacking));
  return CoverageFigures{.name = prepared.subject.name,
                         .heddle = std::move(heddle->growth),
                         .random = std::move(random->growth),
                         .covered_by_both = both.size(),
                         .lacking = std::move(lacking)};
}

}  // namespace heddle::bench
