// An ordered index from keys to values that threads share: lookups by key, by neighbour, by range and by
// position.
//
// Readers share the lock, writers have it alone; every operation is atomic, those on ranges as a whole.
// Functions that callers pass in run under the lock and must not call back into the map. Views (SubMap) and
// cursors hold no lock between two calls: they see what other threads do in the meantime.
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <optional>
#include <shared_mutex>
#include <vector>

#include "avl.h"

namespace ordered {

class SubMap;

class TreeMap {
 public:
  TreeMap() = default;
  TreeMap(const TreeMap&) = delete;
  TreeMap& operator=(const TreeMap&) = delete;

  std::size_t size() const;
  bool empty() const { return size() == 0; }

  // The number of levels of the tree: how many keys a lookup compares at most.
  int height() const;

  // Lookups by key.
  std::optional<Value> find(Key key) const;
  bool contains(Key key) const;

  // The entries next to a key: at or below it, strictly below, at or above, strictly above.
  std::optional<Entry> floor(Key key) const;
  std::optional<Entry> lower(Key key) const;
  std::optional<Entry> ceiling(Key key) const;
  std::optional<Entry> higher(Key key) const;
  std::optional<Entry> first() const;
  std::optional<Entry> last() const;

  // Stores the value unless the key is there. Returns whether it did.
  bool insert(Key key, Value value);

  // Stores the value and returns what the key had before.
  std::optional<Value> put(Key key, Value value);

  // Changes the value of a key that is there. Returns whether it is.
  bool assign(Key key, Value value);

  // Adds `amount` to the value of the key, which begins at zero. Returns the sum.
  Value add(Key key, Value amount);

  std::optional<Value> erase(Key key);

  // Takes the smallest entry out.
  std::optional<Entry> poll_first();

  void clear();

  // Replaces all entries by these, which must be in ascending order of their keys.
  void assign_sorted(const std::vector<Entry>& sorted);

  // Moves every entry of `other` whose key is not here into this map. Returns how many.
  std::size_t merge_from(TreeMap& other);

  // Ranges are half open: from <= key < to.
  std::vector<Entry> range(Key from, Key to) const;
  std::size_t count_range(Key from, Key to) const;
  Value sum_range(Key from, Key to) const;
  std::size_t erase_range(Key from, Key to);
  void add_to_range(Key from, Key to, Value amount);
  SubMap sub_map(Key from, Key to);

  // The first entries of a range, at most `limit`: what a cursor reads at a time.
  std::vector<Entry> page(Key from, Key to, std::size_t limit) const;

  // Positions: how many keys are smaller than `key`, and the entry with so many smaller ones. Asking for the
  // position after the last one, or for the same again, is cheaper than for others.
  std::size_t rank(Key key) const;
  std::optional<Entry> select(std::size_t index) const;
  std::optional<Entry> median() const;

  std::vector<Entry> entries() const;

  // How many lookups by key or position there were.
  std::size_t lookups() const { return lookups_.load(std::memory_order_relaxed); }

  // Throws std::logic_error unless the tree is sound.
  void check_invariants() const;

 private:
  static std::optional<Entry> entry_of(const Node* node);

  // Forgets where the last selection was: the positions have changed.
  void forget_selection() const { selected_ = nullptr; }

  void count_lookup() const { lookups_.fetch_add(1, std::memory_order_relaxed); }

  mutable std::shared_mutex mutex_;
  Link root_;
  mutable std::atomic<std::size_t> lookups_{0};

  // Where the last selection was. Callers go through positions one by one, or ask for the same one again.
  mutable const Node* selected_ = nullptr;
  mutable std::size_t selected_index_ = 0;
};

// A part of a map as if it were a map: what is outside [from, to) does not exist here, and cannot be stored.
class SubMap {
 public:
  SubMap(TreeMap& map, Key from, Key to) : map_(map), from_(from), to_(to) {}

  std::size_t size() const { return map_.count_range(from_, to_); }
  std::optional<Value> find(Key key) const;
  std::optional<Entry> first() const;
  std::optional<Entry> last() const;

  // Throws std::out_of_range for a key outside of the part.
  std::optional<Value> put(Key key, Value value);
  std::optional<Value> erase(Key key);
  std::size_t clear() { return map_.erase_range(from_, to_); }

 private:
  bool covers(Key key) const { return from_ <= key && key < to_; }

  TreeMap& map_;
  Key from_;
  Key to_;
};

}  // namespace ordered
