// KeyedTally: counts things by their names.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace stats {

// Thread-safe. Names are spread over shards, each with a lock of its own, so that threads that count
// different things seldom meet. What is said of all names together holds for one moment.
class KeyedTally {
 public:
  KeyedTally() = default;
  KeyedTally(const KeyedTally&) = delete;
  KeyedTally& operator=(const KeyedTally&) = delete;

  // The count then.
  uint64_t add(const std::string& name, uint32_t number = 1);
  // How many of them are no longer there: no more than there were.
  uint64_t subtract(const std::string& name, uint32_t number = 1);
  // From one name to another, as many as there are at most. How many that was.
  uint64_t move(const std::string& from, const std::string& to, uint32_t number);
  uint64_t remove(const std::string& name);
  void reset();

  uint64_t count(const std::string& name) const;
  bool contains(const std::string& name) const { return count(name) > 0; }
  uint64_t total() const;
  // How many names have been counted.
  size_t size() const;
  // In the order of their names.
  std::vector<std::pair<std::string, uint64_t>> all() const;

 private:
  static constexpr size_t kShards = 4;

  struct Shard {
    mutable std::mutex mutex;
    std::map<std::string, uint64_t> counts;  // none is 0
  };
  class AllLocks;

  static size_t shard_of(const std::string& name);
  static uint64_t take(Shard& shard, const std::string& name, uint32_t number);

  std::array<Shard, kShards> shards_;
};

}  // namespace stats
