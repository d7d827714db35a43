#include "metrics.h"

#include <gtest/gtest.h>

#include "threads.h"

namespace web {
namespace {

struct QuantileCase {
  double share;
  std::int64_t expected;
};

class Quantile : public testing::TestWithParam<QuantileCase> {};

TEST_P(Quantile, IsTheEndOfItsBucket) {
  Histogram histogram({10, 20, 50, 100});
  for (int value = 1; value <= 200; ++value) histogram.observe(value);
  EXPECT_EQ(histogram.quantile(GetParam().share), GetParam().expected);
}

INSTANTIATE_TEST_SUITE_P(Table, Quantile,
                         testing::Values(QuantileCase{0.01, 10}, QuantileCase{0.05, 10},
                                         QuantileCase{0.06, 20}, QuantileCase{0.25, 50},
                                         QuantileCase{0.5, 100}, QuantileCase{0.51, 200},
                                         QuantileCase{1.0, 200}));

TEST(Histogram, SnapshotAndReset) {
  Histogram histogram({10});
  for (const int value : {5, 10, 11, -3}) histogram.observe(value);
  const Histogram::Snapshot data = histogram.snapshot();
  EXPECT_EQ(data.counts, (std::vector<std::uint64_t>{3, 1}));
  EXPECT_EQ(data.sum, 23);
  EXPECT_EQ(data.min, -3);
  EXPECT_EQ(data.max, 11);
  histogram.reset();
  EXPECT_EQ(histogram.snapshot().count, 0U);
  EXPECT_EQ(histogram.quantile(0.5), 0);
}

TEST(Metrics, RenderSorted) {
  MetricsRegistry registry;
  registry.counter("b_total").add(2);
  registry.gauge("a").add(5);
  registry.gauge("a").add(-1);
  registry.histogram("c", {1}).observe(3);
  EXPECT_EQ(
      registry.render(),
      "a 4\na_highest 5\nb_total 2\nc_bucket{le=\"1\"} 0\nc_bucket{le=\"+Inf\"} 1\nc_count 1\nc_sum 3\n");
  EXPECT_EQ(registry.size(), 3U);
}

enum class Operation { kCount, kGauge, kObserve, kQuantile, kReset, kRender, kLookup };
constexpr const char* kNames[] = {"Count", "Gauge", "Observe", "Quantile", "Reset", "Render", "Lookup"};

class MetricsPairs : public testing::TestWithParam<Pair<Operation>> {};

TEST_P(MetricsPairs, WorkTogether) {
  constexpr int kRounds = 16;
  MetricsRegistry registry;
  Counter& counter = registry.counter("count");
  Gauge& gauge = registry.gauge("gauge");
  Histogram& histogram = registry.histogram("histogram", {4, 8});
  std::vector<int> good(GetParam().threads);
  run_threads(GetParam().threads, [&](int thread) {
    for (int i = 0; i < kRounds; ++i) {
      switch (GetParam().of(thread)) {
        case Operation::kCount:
          counter.add();
          ++good[thread];
          break;
        case Operation::kGauge:
          gauge.add(1);
          good[thread] += gauge.highest() >= 1;
          gauge.add(-1);
          break;
        case Operation::kObserve:
          histogram.observe(i);
          ++good[thread];
          break;
        case Operation::kQuantile:
          good[thread] += histogram.quantile(0.9) < kRounds;
          break;
        case Operation::kReset:
          histogram.reset();
          ++good[thread];
          break;
        case Operation::kRender:
          good[thread] += registry.render().find("gauge_highest") != std::string::npos;
          break;
        case Operation::kLookup:
          registry.counter("lookup" + std::to_string(i)).add();
          ++good[thread];
          break;
      }
    }
  });
  std::uint64_t counted = 0;
  for (int thread = 0; thread < GetParam().threads; ++thread) {
    EXPECT_EQ(good[thread], kRounds);
    if (GetParam().of(thread) == Operation::kCount) counted += kRounds;
  }
  EXPECT_EQ(counter.value(), counted);
  EXPECT_EQ(gauge.value(), 0);
  EXPECT_LE(gauge.highest(), GetParam().threads);
}

INSTANTIATE_TEST_SUITE_P(All, MetricsPairs, testing::ValuesIn(all_pairs<Operation>(7, {2, 5})),
                         [](const auto& info) { return pair_name(kNames, info.param); });

}  // namespace
}  // namespace web
