// Multimap: several values for a key, in the order in which they were put there.
#pragma once

#include <algorithm>
#include <cstddef>
#include <map>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

namespace collections {

// Thread-safe: all methods may be called by any threads at any time.
template <typename Key, typename Value>
class Multimap {
 public:
  Multimap() = default;
  Multimap(const Multimap&) = delete;
  Multimap& operator=(const Multimap&) = delete;

  void put(const Key& key, Value value) {
    const std::lock_guard lock(mutex_);
    values_[key].push_back(std::move(value));
    ++size_;
  }

  void put_all(const Key& key, const std::vector<Value>& values) {
    if (values.empty()) return;
    const std::lock_guard lock(mutex_);
    std::vector<Value>& all = values_[key];
    all.insert(all.end(), values.begin(), values.end());
    size_ += values.size();
  }

  // The first such value of the key. False if it has none.
  bool remove(const Key& key, const Value& value) {
    const std::lock_guard lock(mutex_);
    const auto at = values_.find(key);
    if (at == values_.end()) return false;
    const auto found = std::find(at->second.begin(), at->second.end(), value);
    if (found == at->second.end()) return false;
    at->second.erase(found);
    --size_;
    if (at->second.empty()) values_.erase(at);
    return true;
  }

  // What the key had.
  std::vector<Value> remove_all(const Key& key) {
    const std::lock_guard lock(mutex_);
    const auto at = values_.find(key);
    if (at == values_.end()) return {};
    std::vector<Value> removed = std::move(at->second);
    values_.erase(at);
    size_ -= removed.size();
    return removed;
  }

  void clear() {
    const std::lock_guard lock(mutex_);
    values_.clear();
    size_ = 0;
  }

  bool contains(const Key& key) const {
    const std::lock_guard lock(mutex_);
    return values_.contains(key);
  }

  // Of all keys.
  size_t size() const {
    const std::lock_guard lock(mutex_);
    return size_;
  }

  size_t count(const Key& key) const {
    const std::lock_guard lock(mutex_);
    const auto at = values_.find(key);
    return at == values_.end() ? 0 : at->second.size();
  }

  std::vector<Key> keys() const {
    const std::lock_guard lock(mutex_);
    std::vector<Key> all;
    for (const auto& [key, values] : values_) all.push_back(key);
    return all;
  }

  std::vector<Value> values(const Key& key) const {
    const std::lock_guard lock(mutex_);
    const auto at = values_.find(key);
    return at == values_.end() ? std::vector<Value>() : at->second;
  }

  // A view of a key's values: by position, or nothing behind the last one.
  std::optional<Value> value_at(const Key& key, size_t position) const {
    if (position >= count(key)) return std::nullopt;
    const std::lock_guard lock(mutex_);
    return values_.at(key).at(position);
  }

 private:
  mutable std::mutex mutex_;
  std::map<Key, std::vector<Value>> values_;  // no key has none
  size_t size_ = 0;
};

}  // namespace collections
