// Numbers about the running server, under names, as a monitoring system wants them.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <string>
#include <string_view>
#include <vector>

namespace web {

/// Only grows.
class Counter {
 public:
  void add(std::uint64_t amount = 1) { value_.fetch_add(amount, std::memory_order_relaxed); }
  std::uint64_t value() const { return value_.load(std::memory_order_relaxed); }

 private:
  std::atomic<std::uint64_t> value_{0};
};

/// Goes up and down, and remembers its highest value.
class Gauge {
 public:
  void add(std::int64_t amount);
  std::int64_t value() const { return value_.load(std::memory_order_relaxed); }
  std::int64_t highest() const { return highest_.load(std::memory_order_relaxed); }

 private:
  std::atomic<std::int64_t> value_{0};
  std::atomic<std::int64_t> highest_{0};
};

/// How observed values are distributed over fixed buckets.
class Histogram {
 public:
  struct Snapshot {
    std::vector<std::uint64_t> counts;  // one per bound, and one for what is above all bounds
    std::uint64_t count = 0;
    std::int64_t sum = 0;
    std::int64_t min = 0;
    std::int64_t max = 0;
  };

  /// `bounds` are the inclusive upper ends of the buckets, in ascending order.
  explicit Histogram(std::vector<std::int64_t> bounds);

  void observe(std::int64_t value);
  Snapshot snapshot() const;
  /// The upper end of the bucket that holds this share of the values, 0 < share <= 1; the maximum for the
  /// last one.
  std::int64_t quantile(double share) const;
  void reset();
  const std::vector<std::int64_t>& bounds() const { return bounds_; }

 private:
  const std::vector<std::int64_t> bounds_;
  mutable std::mutex mutex_;
  Snapshot data_;
};

/// Metrics by name. What was handed out stays valid as long as the registry.
class MetricsRegistry {
 public:
  /// The metric of that name, made at the first call.
  Counter& counter(std::string_view name);
  Gauge& gauge(std::string_view name);
  /// `bounds` only matter at the first call.
  Histogram& histogram(std::string_view name, const std::vector<std::int64_t>& bounds);

  /// "name value" lines, sorted by name; histograms as cumulative buckets with _count and _sum.
  std::string render() const;
  std::size_t size() const;

 private:
  template <typename Metric>
  using Named = std::map<std::string, std::unique_ptr<Metric>, std::less<>>;

  template <typename Metric, typename... Args>
  Metric& find_or_make(Named<Metric>& metrics, std::string_view name, const Args&... args);

  mutable std::shared_mutex mutex_;
  Named<Counter> counters_;
  Named<Gauge> gauges_;
  Named<Histogram> histograms_;
};

}  // namespace web
