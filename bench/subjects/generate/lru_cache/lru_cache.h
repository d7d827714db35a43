// LruCache: the values that were used most recently, as many as it has room for.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <list>
#include <map>
#include <mutex>
#include <optional>
#include <shared_mutex>
#include <utility>
#include <vector>

namespace cache {

// Thread-safe. Looking for what is not there is cheap: any number of threads do it at the same time.
template <typename Key, typename Value>
class LruCache {
 public:
  explicit LruCache(size_t capacity = 16) : capacity_(std::max<size_t>(1, capacity)) {}
  LruCache(const LruCache&) = delete;
  LruCache& operator=(const LruCache&) = delete;

  // True if the key is new.
  bool put(const Key& key, Value value) {
    const std::unique_lock lock(mutex_);
    const auto known = index_.find(key);
    if (known != index_.end()) {
      known->second->second = std::move(value);
      entries_.splice(entries_.begin(), entries_, known->second);
      return false;
    }
    entries_.emplace_front(key, std::move(value));
    index_[key] = entries_.begin();
    shrink();
    return true;
  }

  // It counts as used now.
  std::optional<Value> get(const Key& key) {
    Position position;
    {
      const std::shared_lock lock(mutex_);
      const auto known = index_.find(key);
      if (known == index_.end()) return std::nullopt;
      position = known->second;
    }
    const std::unique_lock lock(mutex_);
    Value value = position->second;
    entries_.splice(entries_.begin(), entries_, position);
    ++hits_;
    return value;
  }

  // It does not count as used.
  std::optional<Value> peek(const Key& key) const {
    const std::shared_lock lock(mutex_);
    const auto known = index_.find(key);
    if (known == index_.end()) return std::nullopt;
    return known->second->second;
  }

  bool erase(const Key& key) {
    const std::unique_lock lock(mutex_);
    const auto known = index_.find(key);
    if (known == index_.end()) return false;
    entries_.erase(known->second);
    index_.erase(known);
    return true;
  }

  void clear() {
    const std::unique_lock lock(mutex_);
    index_.clear();
    entries_.clear();
  }

  bool contains(const Key& key) const {
    const std::shared_lock lock(mutex_);
    return index_.contains(key);
  }

  size_t size() const {
    const std::shared_lock lock(mutex_);
    return entries_.size();
  }

  size_t capacity() const {
    const std::shared_lock lock(mutex_);
    return capacity_;
  }

  // At least one.
  void set_capacity(size_t capacity) {
    const std::unique_lock lock(mutex_);
    capacity_ = std::max<size_t>(1, capacity);
    shrink();
  }

  // The most recently used one first.
  std::vector<Key> keys() const {
    const std::shared_lock lock(mutex_);
    std::vector<Key> all;
    for (const auto& [key, value] : entries_) all.push_back(key);
    return all;
  }

  uint64_t hits() const {
    const std::shared_lock lock(mutex_);
    return hits_;
  }

 private:
  using Entries = std::list<std::pair<Key, Value>>;
  using Position = typename Entries::iterator;

  void shrink() {
    while (entries_.size() > capacity_) {
      index_.erase(entries_.back().first);
      entries_.pop_back();
    }
  }

  mutable std::shared_mutex mutex_;
  size_t capacity_;
  Entries entries_;  // the most recently used one first
  std::map<Key, Position> index_;
  uint64_t hits_ = 0;
};

}  // namespace cache
