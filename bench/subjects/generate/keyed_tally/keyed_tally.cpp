#include "keyed_tally.h"

#include <algorithm>

namespace stats {

// Always in the same order.
class KeyedTally::AllLocks {
 public:
  explicit AllLocks(const KeyedTally& tally) {
    for (size_t i = 0; i < kShards; ++i) locks_[i] = std::unique_lock(tally.shards_[i].mutex);
  }

 private:
  std::array<std::unique_lock<std::mutex>, kShards> locks_;
};

size_t KeyedTally::shard_of(const std::string& name) {
  uint32_t hash = 2166136261u;
  for (const char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 16777619u;
  return (hash >> 16) % kShards;
}

uint64_t KeyedTally::take(Shard& shard, const std::string& name, uint32_t number) {
  const auto count = shard.counts.find(name);
  if (count == shard.counts.end()) return 0;
  const uint64_t taken = std::min<uint64_t>(count->second, number);
  count->second -= taken;
  if (count->second == 0) shard.counts.erase(count);
  return taken;
}

uint64_t KeyedTally::add(const std::string& name, uint32_t number) {
  Shard& shard = shards_[shard_of(name)];
  const std::lock_guard lock(shard.mutex);
  if (number == 0) {
    const auto count = shard.counts.find(name);
    return count == shard.counts.end() ? 0 : count->second;
  }
  return shard.counts[name] += number;
}

uint64_t KeyedTally::subtract(const std::string& name, uint32_t number) {
  Shard& shard = shards_[shard_of(name)];
  const std::lock_guard lock(shard.mutex);
  return take(shard, name, number);
}

uint64_t KeyedTally::move(const std::string& from, const std::string& to, uint32_t number) {
  const size_t source = shard_of(from);
  const size_t target = shard_of(to);
  const std::lock_guard first_lock(shards_[std::min(source, target)].mutex);
  std::unique_lock<std::mutex> second_lock;
  if (source != target) second_lock = std::unique_lock(shards_[std::max(source, target)].mutex);
  const uint64_t moved = take(shards_[source], from, number);
  if (moved > 0) shards_[target].counts[to] += moved;
  return moved;
}

uint64_t KeyedTally::remove(const std::string& name) {
  Shard& shard = shards_[shard_of(name)];
  const std::lock_guard lock(shard.mutex);
  const auto count = shard.counts.find(name);
  if (count == shard.counts.end()) return 0;
  const uint64_t removed = count->second;
  shard.counts.erase(count);
  return removed;
}

void KeyedTally::reset() {
  const AllLocks locks(*this);
  for (Shard& shard : shards_) shard.counts.clear();
}

uint64_t KeyedTally::count(const std::string& name) const {
  const Shard& shard = shards_[shard_of(name)];
  const std::lock_guard lock(shard.mutex);
  const auto count = shard.counts.find(name);
  return count == shard.counts.end() ? 0 : count->second;
}

uint64_t KeyedTally::total() const {
  const AllLocks locks(*this);
  uint64_t sum = 0;
  for (const Shard& shard : shards_) {
    for (const auto& [name, count] : shard.counts) sum += count;
  }
  return sum;
}

size_t KeyedTally::size() const {
  const AllLocks locks(*this);
  size_t names = 0;
  for (const Shard& shard : shards_) names += shard.counts.size();
  return names;
}

std::vector<std::pair<std::string, uint64_t>> KeyedTally::all() const {
  std::vector<std::pair<std::string, uint64_t>> counts;
  {
    const AllLocks locks(*this);
    for (const Shard& shard : shards_) counts.insert(counts.end(), shard.counts.begin(), shard.counts.end());
  }
  std::sort(counts.begin(), counts.end());
  return counts;
}

}  // namespace stats
