// Which addresses were met before. Spread over shards so that workers seldom meet at a lock.
#pragma once

#include <array>
#include <cstdint>
#include <mutex>
#include <string_view>
#include <unordered_set>
#include <vector>

namespace crawl {

class SeenSet {
 public:
  struct Stats {
    std::size_t size = 0;
    std::uint64_t lookups = 0;
    std::uint64_t filtered = 0;  // lookups that the filter alone could answer
  };

  /// True if it was not there before.
  bool insert(std::string_view text);
  bool contains(std::string_view text) const;
  bool erase(std::string_view text);
  void clear();

  std::size_t size() const;
  Stats stats() const;

  /// All fingerprints in ascending order, and back, for checkpoints.
  std::vector<std::uint64_t> snapshot() const;
  void restore(const std::vector<std::uint64_t>& fingerprints);

 private:
  static constexpr std::size_t kShards = 16;
  static constexpr std::size_t kFilterWords = 16;

  /// A Bloom filter in front of each shard's table: most addresses that are asked for are new.
  struct Shard {
    mutable std::mutex mutex;
    std::unordered_set<std::uint64_t> fingerprints;
    std::array<std::uint64_t, kFilterWords> filter{};
    mutable std::uint64_t lookups = 0;
    mutable std::uint64_t filtered = 0;

    bool may_contain(std::uint64_t hash) const;
    void add_to_filter(std::uint64_t hash);
  };

  Shard& shard_of(std::uint64_t hash) { return shards_[hash % kShards]; }
  const Shard& shard_of(std::uint64_t hash) const { return shards_[hash % kShards]; }

  std::array<Shard, kShards> shards_;
};

}  // namespace crawl
