// A hash map that threads share: every operation is atomic, and the bulk operations are so as a whole.
//
// Entries hang in chains from a table of buckets, whose number is a power of two. A key may be present
// without a value (`put_null`), as in the maps of other languages: `std::nullopt` stands for the missing
// value, and `get` tells the difference by returning an empty optional of an optional.
//
// One mutex guards the table, the chains, the number of entries and the count of modifications. Functions
// that callers pass in run under that mutex and must not call back into the map. The usage counters have
// their own.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include "statistics.h"

namespace collections {

// Thrown by a cursor whose map has changed since the cursor was made.
class ConcurrentModification : public std::runtime_error {
 public:
  ConcurrentModification() : std::runtime_error("the map was modified while a cursor stood in it") {}
};

template <typename Key, typename Value, typename Hash = std::hash<Key>>
class HashMap {
  struct Node;

 public:
  using Mapped = std::optional<Value>;
  using Entry = std::pair<Key, Mapped>;

  static constexpr std::size_t kDefaultCapacity = 16;
  static constexpr float kDefaultLoadFactor = 0.75F;

  explicit HashMap(std::size_t capacity = kDefaultCapacity, float load_factor = kDefaultLoadFactor)
      : load_factor_(load_factor), table_(round_up(capacity)) {
    if (!(load_factor > 0)) throw std::invalid_argument("the load factor of a map must be positive");
    threshold_ = threshold_of(table_.size());
  }

  ~HashMap() {
    for (auto& head : table_) drop_chain(head);
  }

  HashMap(const HashMap&) = delete;
  HashMap& operator=(const HashMap&) = delete;

  // The number of entries, those without a value included.
  std::size_t size() const {
    const std::lock_guard lock(mutex_);
    return size_;
  }

  bool empty() const { return size() == 0; }

  std::size_t bucket_count() const {
    const std::lock_guard lock(mutex_);
    return table_.size();
  }

  // How many modifications of the structure there were; a cursor uses it to notice that it is out of date.
  std::uint64_t modification_count() const {
    const std::lock_guard lock(mutex_);
    return mod_count_;
  }

  // The entry's value; no value at all if the key is absent.
  std::optional<Mapped> get(const Key& key) const {
    std::optional<Mapped> result;
    {
      const std::lock_guard lock(mutex_);
      if (const Node* node = find(key)) result = node->value;
    }
    usage_.count_lookup(result.has_value());
    return result;
  }

  Value get_or(const Key& key, Value fallback) const {
    const auto found = get(key);
    return found && *found ? **found : fallback;
  }

  bool contains_key(const Key& key) const {
    const std::lock_guard lock(mutex_);
    return find(key) != nullptr;
  }

  // Whether some entry has this value. Looks at all entries.
  bool contains_value(const Mapped& value) const {
    const std::lock_guard lock(mutex_);
    for (const auto& head : table_) {
      for (const Node* node = head.get(); node != nullptr; node = node->next.get()) {
        if (node->value == value) return true;
      }
    }
    return false;
  }

  // Stores the value and returns what the key had before.
  std::optional<Mapped> put(const Key& key, Mapped value) {
    const std::lock_guard lock(mutex_);
    return put_locked(key, std::move(value));
  }

  std::optional<Mapped> put_null(const Key& key) { return put(key, std::nullopt); }

  // Stores the value unless the key is present. Returns whether it did.
  bool put_if_absent(const Key& key, Mapped value) {
    const std::lock_guard lock(mutex_);
    if (find(key) != nullptr) return false;
    insert(key, std::move(value));
    return true;
  }

  // Stores all entries in one step: no thread sees some of them only.
  void put_all(const std::vector<Entry>& entries) {
    const std::lock_guard lock(mutex_);
    grow_to(size_ + entries.size());
    for (const auto& [key, value] : entries) put_locked(key, value);
  }

  // Removes the entry and returns the value that it had.
  std::optional<Mapped> remove(const Key& key) {
    const std::lock_guard lock(mutex_);
    std::unique_ptr<Node>* link = find_link(key);
    if (link == nullptr) return std::nullopt;
    std::optional<Mapped> old = std::move((*link)->value);
    unlink(*link);
    return old;
  }

  // Removes the entry if it has this value. Returns whether it did.
  bool remove_exactly(const Key& key, const Mapped& value) {
    const std::lock_guard lock(mutex_);
    std::unique_ptr<Node>* link = find_link(key);
    if (link == nullptr || (*link)->value != value) return false;
    unlink(*link);
    return true;
  }

  // Removes every entry for which `predicate(key, value)` holds. Returns how many.
  std::size_t remove_if(const std::function<bool(const Key&, const Mapped&)>& predicate) {
    const std::lock_guard lock(mutex_);
    std::size_t removed = 0;
    for (auto& head : table_) {
      std::unique_ptr<Node>* link = &head;
      while (*link) {
        if (predicate((*link)->key, (*link)->value)) {
          unlink(*link);
          ++removed;
        } else {
          link = &(*link)->next;
        }
      }
    }
    return removed;
  }

  // Keeps only the entries with these keys. Returns how many it removed.
  std::size_t retain_all(std::vector<Key> keys) {
    std::sort(keys.begin(), keys.end());
    return remove_if(
        [&](const Key& key, const Mapped&) { return !std::binary_search(keys.begin(), keys.end(), key); });
  }

  // Gives a present key another value. Returns the old one, or nothing if the key is absent.
  std::optional<Mapped> replace(const Key& key, Mapped value) {
    const std::lock_guard lock(mutex_);
    Node* node = find(key);
    if (node == nullptr) return std::nullopt;
    return std::exchange(node->value, std::move(value));
  }

  // Gives a present key another value if it has the expected one.
  bool replace_exactly(const Key& key, const Mapped& expected, Mapped value) {
    const std::lock_guard lock(mutex_);
    Node* node = find(key);
    if (node == nullptr || node->value != expected) return false;
    node->value = std::move(value);
    return true;
  }

  // Replaces every value by `function(key, value)`.
  void replace_all(const std::function<Mapped(const Key&, const Mapped&)>& function) {
    const std::lock_guard lock(mutex_);
    for (auto& head : table_) {
      for (Node* node = head.get(); node != nullptr; node = node->next.get()) {
        node->value = function(node->key, node->value);
      }
    }
  }

  // Sets the value to `function(old)`, where an absent key and one without a value both count as no value. An
  // empty result removes the entry. Returns the result.
  Mapped compute(const Key& key, const std::function<Mapped(const Mapped&)>& function) {
    const std::lock_guard lock(mutex_);
    std::unique_ptr<Node>* link = find_link(key);
    Mapped result = function(link != nullptr ? (*link)->value : Mapped());
    if (result) {
      if (link != nullptr) {
        (*link)->value = result;
      } else {
        insert(key, result);
      }
    } else if (link != nullptr) {
      unlink(*link);
    }
    return result;
  }

  // Stores the value if there is none, else what `function` makes of the old and the new one.
  Value merge(const Key& key, const Value& value,
              const std::function<Value(const Value&, const Value&)>& function) {
    return *compute(key, [&](const Mapped& old) -> Mapped { return old ? function(*old, value) : value; });
  }

  // Removes all entries and keeps the table.
  void clear() {
    const std::lock_guard lock(mutex_);
    ++mod_count_;
    for (auto& head : table_) drop_chain(head);
    size_ = 0;
  }

  // Makes room for so many entries.
  void reserve(std::size_t entries) {
    const std::lock_guard lock(mutex_);
    grow_to(entries);
  }

  // Gives back the buckets that the present entries do not need.
  void shrink_to_fit() {
    const std::lock_guard lock(mutex_);
    const auto needed = static_cast<std::size_t>(static_cast<float>(size_) / load_factor_) + 1;
    const std::size_t buckets = round_up(needed);
    if (buckets < table_.size()) rehash(buckets);
  }

  // Calls `visit(key, value)` for every entry, in no particular order.
  void for_each(const std::function<void(const Key&, const Mapped&)>& visit) const {
    const std::lock_guard lock(mutex_);
    for (const auto& head : table_) {
      for (const Node* node = head.get(); node != nullptr; node = node->next.get())
        visit(node->key, node->value);
    }
  }

  std::vector<Key> keys() const {
    std::vector<Key> result;
    for_each([&](const Key& key, const Mapped&) { result.push_back(key); });
    return result;
  }

  std::vector<Mapped> values() const {
    std::vector<Mapped> result;
    for_each([&](const Key&, const Mapped& value) { result.push_back(value); });
    return result;
  }

  std::vector<Entry> entries() const {
    std::vector<Entry> result;
    for_each([&](const Key& key, const Mapped& value) { result.emplace_back(key, value); });
    return result;
  }

  // Exchanges the entries of two maps. Both locks are taken in one step, so that two threads that exchange
  // the same maps in opposite directions do not wait for each other.
  void swap(HashMap& other) {
    if (this == &other) return;
    const std::scoped_lock lock(mutex_, other.mutex_);
    std::swap(table_, other.table_);
    std::swap(size_, other.size_);
    std::swap(threshold_, other.threshold_);
    std::swap(load_factor_, other.load_factor_);
    ++mod_count_;
    ++other.mod_count_;
  }

  // Whether both maps have the same entries.
  bool equals(const HashMap& other) const {
    if (this == &other) return true;
    const std::scoped_lock lock(mutex_, other.mutex_);
    if (size_ != other.size_) return false;
    for (const auto& head : table_) {
      for (const Node* node = head.get(); node != nullptr; node = node->next.get()) {
        const Node* partner = other.find(node->key);
        if (partner == nullptr || partner->value != node->value) return false;
      }
    }
    return true;
  }

  Statistics statistics() const {
    Statistics result;
    {
      const std::lock_guard lock(mutex_);
      result.entries = size_;
      result.buckets = table_.size();
    }
    usage_.fill(result);
    return result;
  }

  void reset_statistics() { usage_.reset(); }

  // Throws std::logic_error unless the map is as the operations promise to leave it: every entry in its
  // bucket, no key twice, the number of entries right, no more of them than the load factor allows.
  void check_invariants() const {
    const std::lock_guard lock(mutex_);
    std::size_t count = 0;
    for (std::size_t bucket = 0; bucket < table_.size(); ++bucket) {
      for (const Node* node = table_[bucket].get(); node != nullptr; node = node->next.get()) {
        if (index_of(node->hash, table_.size()) != bucket)
          throw std::logic_error("an entry is in a wrong bucket");
        for (const Node* later = node->next.get(); later != nullptr; later = later->next.get()) {
          if (later->key == node->key) throw std::logic_error("a key is there twice");
        }
        ++count;
      }
    }
    if (count != size_) throw std::logic_error("the number of entries is wrong");
    if (count > threshold_) throw std::logic_error("the table is too small");
  }

  // Walks through the entries one by one, without the lock between two steps. `next` throws
  // ConcurrentModification when an entry was added or removed since the cursor was made.
  class Cursor {
   public:
    explicit Cursor(const HashMap& map) : map_(map) {
      const std::lock_guard lock(map_.mutex_);
      expected_ = map_.mod_count_;
    }

    // The next entry, or nothing at the end.
    std::optional<Entry> next() {
      const std::lock_guard lock(map_.mutex_);
      if (map_.mod_count_ != expected_) throw ConcurrentModification();
      while (node_ == nullptr && bucket_ < map_.table_.size()) node_ = map_.table_[bucket_++].get();
      if (node_ == nullptr) return std::nullopt;
      Entry entry(node_->key, node_->value);
      node_ = node_->next.get();
      return entry;
    }

   private:
    const HashMap& map_;
    std::uint64_t expected_ = 0;
    std::size_t bucket_ = 0;
    const typename HashMap::Node* node_ = nullptr;
  };

 private:
  struct Node {
    std::size_t hash;
    Key key;
    Mapped value;
    std::unique_ptr<Node> next;
  };
  using Table = std::vector<std::unique_ptr<Node>>;

  static std::size_t round_up(std::size_t capacity) {
    std::size_t buckets = 1;
    while (buckets < capacity) buckets *= 2;
    return buckets;
  }

  // Spreads the upper bits of a hash over the lower ones, which alone choose the bucket.
  static std::size_t spread(std::size_t hash) { return hash ^ (hash >> 20) ^ (hash >> 12) ^ (hash >> 7); }

  static std::size_t index_of(std::size_t hash, std::size_t buckets) { return hash & (buckets - 1); }

  // Deletes a chain one node after the other: left to itself, a long chain would delete itself recursively.
  static void drop_chain(std::unique_ptr<Node>& head) {
    while (head) {
      auto next = std::move(head->next);
      head = std::move(next);
    }
  }

  std::size_t threshold_of(std::size_t buckets) const {
    return std::max<std::size_t>(1, static_cast<std::size_t>(static_cast<float>(buckets) * load_factor_));
  }

  // The functions below expect the caller to hold mutex_.

  Node* find(const Key& key) const {
    const std::size_t hash = spread(Hash()(key));
    for (Node* node = table_[index_of(hash, table_.size())].get(); node != nullptr; node = node->next.get()) {
      if (node->hash == hash && node->key == key) return node;
    }
    return nullptr;
  }

  // The pointer that owns the entry, null if the key is absent.
  std::unique_ptr<Node>* find_link(const Key& key) {
    const std::size_t hash = spread(Hash()(key));
    std::unique_ptr<Node>* link = &table_[index_of(hash, table_.size())];
    while (*link) {
      if ((*link)->hash == hash && (*link)->key == key) return link;
      link = &(*link)->next;
    }
    return nullptr;
  }

  std::optional<Mapped> put_locked(const Key& key, Mapped value) {
    if (Node* node = find(key)) return std::exchange(node->value, std::move(value));
    insert(key, std::move(value));
    return std::nullopt;
  }

  void insert(const Key& key, Mapped value) {
    grow_to(size_ + 1);
    const std::size_t hash = spread(Hash()(key));
    auto& head = table_[index_of(hash, table_.size())];
    auto node = std::make_unique<Node>(Node{hash, key, std::move(value), std::move(head)});
    head = std::move(node);
    ++size_;
    ++mod_count_;
  }

  void unlink(std::unique_ptr<Node>& link) {
    auto next = std::move(link->next);
    link = std::move(next);
    --size_;
    ++mod_count_;
  }

  void grow_to(std::size_t entries) {
    std::size_t buckets = table_.size();
    while (threshold_of(buckets) < entries) buckets *= 2;
    if (buckets != table_.size()) rehash(buckets);
  }

  void rehash(std::size_t buckets) {
    Table table(buckets);
    for (auto& head : table_) {
      while (head) {
        auto node = std::move(head);
        head = std::move(node->next);
        auto& target = table[index_of(node->hash, buckets)];
        node->next = std::move(target);
        target = std::move(node);
      }
    }
    table_ = std::move(table);
    threshold_ = threshold_of(buckets);
    ++mod_count_;
    usage_.count_resize();
  }

  mutable std::mutex mutex_;
  float load_factor_;
  Table table_;
  std::size_t size_ = 0;
  std::size_t threshold_ = 0;
  std::uint64_t mod_count_ = 0;
  mutable UsageCounter usage_;
};

}  // namespace collections
