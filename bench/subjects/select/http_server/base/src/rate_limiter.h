// How many requests a client may send: a bucket of tokens per client that fills up again with time.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "clock.h"

namespace web {

struct RatePolicy {
  double tokens_per_second = 100;
  double burst = 100;  // how many tokens a bucket holds; 0 refuses everything
};

class RateLimiter {
 public:
  struct Decision {
    bool allowed = false;
    Millis retry_after = 0;  // when it is worth trying again, if refused
    double tokens_left = 0;
  };
  struct Stats {
    std::uint64_t allowed = 0;
    std::uint64_t refused = 0;
    std::size_t clients = 0;
  };

  RateLimiter(const Clock& clock, RatePolicy policy);
  ~RateLimiter();

  /// Takes `cost` tokens from the client's bucket if they are there.
  Decision take(const std::string& client, double cost = 1);

  /// Clients whose name begins so get this policy from now on; the longest prefix counts.
  void set_policy(const std::string& prefix, RatePolicy policy);
  RatePolicy policy_of(std::string_view client) const;

  /// Forgets clients whose bucket is full again; returns how many.
  std::size_t sweep();
  Stats stats() const;

 private:
  /// Sorted so that longer prefixes come first; the last one is empty. Never changes once it is published.
  struct PolicyTable {
    std::vector<std::pair<std::string, RatePolicy>> policies;
    const RatePolicy& find(std::string_view client) const;
  };
  struct Bucket {
    double tokens = 0;
    Millis filled_at = 0;
  };
  struct Shard {
    mutable std::mutex mutex;
    std::unordered_map<std::string, Bucket> buckets;
    std::uint64_t allowed = 0;
    std::uint64_t refused = 0;
  };
  static constexpr std::size_t kShards = 8;

  static void refill(Bucket& bucket, const RatePolicy& policy, Millis now);

  const Clock& clock_;
  std::array<Shard, kShards> shards_;

  // Requests read the table without a lock. Tables that were replaced are kept until the end: policies change
  // by hand, so there are few.
  std::atomic<const PolicyTable*> table_;
  std::mutex tables_mutex_;
  std::vector<std::unique_ptr<const PolicyTable>> tables_;
};

}  // namespace web
