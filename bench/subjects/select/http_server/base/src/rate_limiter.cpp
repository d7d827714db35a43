#include "rate_limiter.h"

#include <algorithm>
#include <cmath>
#include <functional>

namespace web {

const RatePolicy& RateLimiter::PolicyTable::find(std::string_view client) const {
  for (const auto& [prefix, policy] : policies) {
    if (client.substr(0, prefix.size()) == prefix) return policy;
  }
  return policies.back().second;
}

RateLimiter::RateLimiter(const Clock& clock, RatePolicy policy) : clock_(clock) {
  auto table = std::make_unique<PolicyTable>();
  table->policies.emplace_back("", policy);
  table_.store(table.get(), std::memory_order_release);
  tables_.push_back(std::move(table));
}

RateLimiter::~RateLimiter() = default;

/// Needs the lock of the bucket's shard.
void RateLimiter::refill(Bucket& bucket, const RatePolicy& policy, Millis now) {
  // Another thread may have read the clock later and come first.
  if (now > bucket.filled_at) {
    const double seconds = static_cast<double>(now - bucket.filled_at) / 1000;
    bucket.tokens += seconds * policy.tokens_per_second;
    bucket.filled_at = now;
  }
  bucket.tokens = std::min(bucket.tokens, policy.burst);
}

RateLimiter::Decision RateLimiter::take(const std::string& client, double cost) {
  const Millis now = clock_.now();
  const RatePolicy policy = policy_of(client);
  Shard& shard = shards_[std::hash<std::string>()(client) % kShards];
  Decision decision;

  std::lock_guard lock(shard.mutex);
  const auto [entry, fresh] = shard.buckets.try_emplace(client);
  Bucket& bucket = entry->second;
  if (fresh) bucket = {policy.burst, now};
  refill(bucket, policy, now);
  if (bucket.tokens >= cost) {
    bucket.tokens -= cost;
    decision.allowed = true;
    ++shard.allowed;
  } else {
    const double missing = cost - bucket.tokens;
    decision.retry_after = policy.tokens_per_second > 0
                               ? static_cast<Millis>(std::ceil(missing / policy.tokens_per_second * 1000))
                               : 60'000;
    ++shard.refused;
  }
  decision.tokens_left = bucket.tokens;
  return decision;
}

void RateLimiter::set_policy(const std::string& prefix, RatePolicy policy) {
  std::lock_guard lock(tables_mutex_);
  auto table = std::make_unique<PolicyTable>(*tables_.back());
  std::erase_if(table->policies, [&](const auto& entry) { return entry.first == prefix; });
  table->policies.emplace_back(prefix, policy);
  std::sort(table->policies.begin(), table->policies.end(), [](const auto& a, const auto& b) {
    return a.first.size() != b.first.size() ? a.first.size() > b.first.size() : a.first < b.first;
  });
  table_.store(table.get(), std::memory_order_release);
  tables_.push_back(std::move(table));
}

RatePolicy RateLimiter::policy_of(std::string_view client) const {
  const PolicyTable* table = table_.load(std::memory_order_acquire);
  return table->find(client);
}

std::size_t RateLimiter::sweep() {
  const Millis now = clock_.now();
  std::size_t count = 0;
  for (Shard& shard : shards_) {
    std::lock_guard lock(shard.mutex);
    count += std::erase_if(shard.buckets, [&](const auto& entry) {
      const RatePolicy policy = policy_of(entry.first);
      Bucket bucket = entry.second;
      refill(bucket, policy, now);
      return bucket.tokens >= policy.burst;
    });
  }
  return count;
}

RateLimiter::Stats RateLimiter::stats() const {
  Stats stats;
  for (const Shard& shard : shards_) {
    std::lock_guard lock(shard.mutex);
    stats.allowed += shard.allowed;
    stats.refused += shard.refused;
    stats.clients += shard.buckets.size();
  }
  return stats;
}

}  // namespace web
