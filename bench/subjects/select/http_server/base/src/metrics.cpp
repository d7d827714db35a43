#include "metrics.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace web {

void Gauge::add(std::int64_t amount) {
  const std::int64_t now = value_.fetch_add(amount, std::memory_order_relaxed) + amount;
  std::int64_t seen = highest_.load(std::memory_order_relaxed);
  while (now > seen && !highest_.compare_exchange_weak(seen, now, std::memory_order_relaxed)) {
  }
}

Histogram::Histogram(std::vector<std::int64_t> bounds) : bounds_(std::move(bounds)) {
  data_.counts.resize(bounds_.size() + 1);
}

void Histogram::observe(std::int64_t value) {
  const auto bucket = std::lower_bound(bounds_.begin(), bounds_.end(), value) - bounds_.begin();
  std::lock_guard lock(mutex_);
  ++data_.counts[bucket];
  data_.min = data_.count == 0 ? value : std::min(data_.min, value);
  data_.max = data_.count == 0 ? value : std::max(data_.max, value);
  ++data_.count;
  data_.sum += value;
}

Histogram::Snapshot Histogram::snapshot() const {
  std::lock_guard lock(mutex_);
  return data_;
}

std::int64_t Histogram::quantile(double share) const {
  const Snapshot data = snapshot();
  const auto rank = static_cast<std::uint64_t>(std::ceil(share * static_cast<double>(data.count)));
  std::uint64_t seen = 0;
  for (std::size_t bucket = 0; bucket < bounds_.size(); ++bucket) {
    seen += data.counts[bucket];
    if (seen >= rank) return std::min(bounds_[bucket], data.max);
  }
  return data.max;
}

void Histogram::reset() {
  std::lock_guard lock(mutex_);
  data_ = Snapshot();
  data_.counts.resize(bounds_.size() + 1);
}

template <typename Metric, typename... Args>
Metric& MetricsRegistry::find_or_make(Named<Metric>& metrics, std::string_view name, const Args&... args) {
  {
    std::shared_lock lock(mutex_);
    const auto found = metrics.find(name);
    if (found != metrics.end()) return *found->second;
  }
  std::unique_lock lock(mutex_);
  auto& metric = metrics[std::string(name)];
  if (!metric) metric = std::make_unique<Metric>(args...);
  return *metric;
}

Counter& MetricsRegistry::counter(std::string_view name) {
  return find_or_make(counters_, name);
}

Gauge& MetricsRegistry::gauge(std::string_view name) {
  return find_or_make(gauges_, name);
}

Histogram& MetricsRegistry::histogram(std::string_view name, const std::vector<std::int64_t>& bounds) {
  return find_or_make(histograms_, name, bounds);
}

std::string MetricsRegistry::render() const {
  std::vector<std::string> lines;
  std::shared_lock lock(mutex_);
  for (const auto& [name, counter] : counters_) {
    lines.push_back(name + " " + std::to_string(counter->value()) + "\n");
  }
  for (const auto& [name, gauge] : gauges_) {
    lines.push_back(name + " " + std::to_string(gauge->value()) + "\n");
    lines.push_back(name + "_highest " + std::to_string(gauge->highest()) + "\n");
  }
  for (const auto& [name, histogram] : histograms_) {
    const Histogram::Snapshot data = histogram->snapshot();
    std::uint64_t cumulative = 0;
    std::string text;
    for (std::size_t bucket = 0; bucket < data.counts.size(); ++bucket) {
      cumulative += data.counts[bucket];
      const std::string bound =
          bucket < histogram->bounds().size() ? std::to_string(histogram->bounds()[bucket]) : "+Inf";
      text += name + "_bucket{le=\"" + bound + "\"} " + std::to_string(cumulative) + "\n";
    }
    text += name + "_count " + std::to_string(data.count) + "\n";
    text += name + "_sum " + std::to_string(data.sum) + "\n";
    lines.push_back(std::move(text));
  }
  lock.unlock();
  std::sort(lines.begin(), lines.end());
  std::string text;
  for (const std::string& line : lines) text += line;
  return text;
}

std::size_t MetricsRegistry::size() const {
  std::shared_lock lock(mutex_);
  return counters_.size() + gauges_.size() + histograms_.size();
}

}  // namespace web
