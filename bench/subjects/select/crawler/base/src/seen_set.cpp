#include "seen_set.h"

#include <algorithm>

#include "url.h"

namespace crawl {
namespace {

/// Two independent bits of the filter, from bits of the hash that do not choose the shard.
constexpr unsigned kFirstShift = 8;
constexpr unsigned kSecondShift = 24;

}  // namespace

/// Needs the shard's lock.
bool SeenSet::Shard::may_contain(std::uint64_t hash) const {
  const std::uint64_t first = hash >> kFirstShift;
  const std::uint64_t second = hash >> kSecondShift;
  return (filter[first / 64 % kFilterWords] >> (first % 64) & 1) != 0 &&
         (filter[second / 64 % kFilterWords] >> (second % 64) & 1) != 0;
}

/// Needs the shard's lock.
void SeenSet::Shard::add_to_filter(std::uint64_t hash) {
  const std::uint64_t first = hash >> kFirstShift;
  const std::uint64_t second = hash >> kSecondShift;
  filter[first / 64 % kFilterWords] |= std::uint64_t{1} << (first % 64);
  filter[second / 64 % kFilterWords] |= std::uint64_t{1} << (second % 64);
}

bool SeenSet::insert(std::string_view text) {
  const std::uint64_t hash = fingerprint(text);
  Shard& shard = shard_of(hash);
  std::lock_guard lock(shard.mutex);
  shard.add_to_filter(hash);
  return shard.fingerprints.insert(hash).second;
}

bool SeenSet::contains(std::string_view text) const {
  const std::uint64_t hash = fingerprint(text);
  const Shard& shard = shard_of(hash);
  std::lock_guard lock(shard.mutex);
  ++shard.lookups;
  if (!shard.may_contain(hash)) {
    ++shard.filtered;
    return false;
  }
  return shard.fingerprints.contains(hash);
}

bool SeenSet::erase(std::string_view text) {
  const std::uint64_t hash = fingerprint(text);
  Shard& shard = shard_of(hash);
  std::lock_guard lock(shard.mutex);
  // Its bits stay in the filter, where others may need them.
  return shard.fingerprints.erase(hash) > 0;
}

void SeenSet::clear() {
  for (Shard& shard : shards_) {
    std::lock_guard lock(shard.mutex);
    shard.fingerprints.clear();
    shard.filter.fill(0);
  }
}

std::size_t SeenSet::size() const {
  return stats().size;
}

SeenSet::Stats SeenSet::stats() const {
  Stats stats;
  for (const Shard& shard : shards_) {
    std::lock_guard lock(shard.mutex);
    stats.size += shard.fingerprints.size();
    stats.lookups += shard.lookups;
    stats.filtered += shard.filtered;
  }
  return stats;
}

std::vector<std::uint64_t> SeenSet::snapshot() const {
  std::vector<std::uint64_t> all;
  for (const Shard& shard : shards_) {
    std::lock_guard lock(shard.mutex);
    all.insert(all.end(), shard.fingerprints.begin(), shard.fingerprints.end());
  }
  std::sort(all.begin(), all.end());
  return all;
}

void SeenSet::restore(const std::vector<std::uint64_t>& fingerprints) {
  clear();
  for (const std::uint64_t hash : fingerprints) {
    Shard& shard = shard_of(hash);
    std::lock_guard lock(shard.mutex);
    shard.fingerprints.insert(hash);
    shard.add_to_filter(hash);
  }
}

}  // namespace crawl
