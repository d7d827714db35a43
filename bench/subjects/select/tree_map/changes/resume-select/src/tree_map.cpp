#include "tree_map.h"

#include <limits>
#include <mutex>
#include <stdexcept>
#include <utility>

namespace ordered {
namespace {

constexpr Key kFirst = std::numeric_limits<Key>::min();
constexpr Key kLast = std::numeric_limits<Key>::max();

}  // namespace

std::optional<Entry> TreeMap::entry_of(const Node* node) {
  return node != nullptr ? std::optional(node->entry) : std::nullopt;
}

std::size_t TreeMap::size() const {
  const std::shared_lock lock(mutex_);
  return count_of(root_);
}

int TreeMap::height() const {
  const std::shared_lock lock(mutex_);
  return height_of(root_);
}

std::optional<Value> TreeMap::find(Key key) const {
  count_lookup();
  const std::shared_lock lock(mutex_);
  const Node* node = ordered::find(root_, key);
  return node != nullptr ? std::optional(node->entry.value) : std::nullopt;
}

bool TreeMap::contains(Key key) const {
  count_lookup();
  const std::shared_lock lock(mutex_);
  return ordered::find(root_, key) != nullptr;
}

std::optional<Entry> TreeMap::floor(Key key) const {
  const std::shared_lock lock(mutex_);
  return entry_of(below(root_, key, true));
}

std::optional<Entry> TreeMap::lower(Key key) const {
  const std::shared_lock lock(mutex_);
  return entry_of(below(root_, key, false));
}

std::optional<Entry> TreeMap::ceiling(Key key) const {
  const std::shared_lock lock(mutex_);
  return entry_of(above(root_, key, true));
}

std::optional<Entry> TreeMap::higher(Key key) const {
  const std::shared_lock lock(mutex_);
  return entry_of(above(root_, key, false));
}

std::optional<Entry> TreeMap::first() const {
  return ceiling(kFirst);
}

std::optional<Entry> TreeMap::last() const {
  return floor(kLast);
}

bool TreeMap::insert(Key key, Value value) {
  const std::unique_lock lock(mutex_);
  forget_selection();
  return !ordered::insert(root_, {key, value}, false);
}

std::optional<Value> TreeMap::put(Key key, Value value) {
  const std::unique_lock lock(mutex_);
  forget_selection();
  return ordered::insert(root_, {key, value}, true);
}

bool TreeMap::assign(Key key, Value value) {
  const std::unique_lock lock(mutex_);
  Node* node = ordered::find(root_, key);
  if (node == nullptr) return false;
  node->entry.value = value;
  return true;
}

Value TreeMap::add(Key key, Value amount) {
  const std::unique_lock lock(mutex_);
  if (Node* node = ordered::find(root_, key)) return node->entry.value += amount;
  forget_selection();
  ordered::insert(root_, {key, amount}, false);
  return amount;
}

std::optional<Value> TreeMap::erase(Key key) {
  const std::unique_lock lock(mutex_);
  forget_selection();
  return ordered::erase(root_, key);
}

std::optional<Entry> TreeMap::poll_first() {
  const std::unique_lock lock(mutex_);
  if (!root_) return std::nullopt;
  forget_selection();
  return take_first(root_);
}

void TreeMap::clear() {
  const std::unique_lock lock(mutex_);
  forget_selection();
  root_.reset();
}

void TreeMap::assign_sorted(const std::vector<Entry>& sorted) {
  for (std::size_t i = 1; i < sorted.size(); ++i) {
    if (sorted[i - 1].key >= sorted[i].key)
      throw std::invalid_argument("the entries are not in ascending order");
  }
  Link root = build(sorted);
  const std::unique_lock lock(mutex_);
  forget_selection();
  root_ = std::move(root);
}

std::size_t TreeMap::merge_from(TreeMap& other) {
  if (this == &other) return 0;
  const std::scoped_lock lock(mutex_, other.mutex_);
  forget_selection();
  other.forget_selection();
  std::vector<Entry> kept;
  std::size_t moved = 0;
  visit_range(other.root_, kFirst, kLast, [&](const Entry& entry) {
    if (ordered::insert(root_, entry, false)) {
      kept.push_back(entry);
    } else {
      ++moved;
    }
    return true;
  });
  other.root_ = build(kept);
  return moved;
}

std::vector<Entry> TreeMap::range(Key from, Key to) const {
  std::vector<Entry> result;
  const std::shared_lock lock(mutex_);
  visit_range(root_, from, to, [&](const Entry& entry) {
    result.push_back(entry);
    return true;
  });
  return result;
}

std::size_t TreeMap::count_range(Key from, Key to) const {
  if (to <= from) return 0;
  const std::shared_lock lock(mutex_);
  return ordered::rank(root_, to) - ordered::rank(root_, from);
}

Value TreeMap::sum_range(Key from, Key to) const {
  Value sum = 0;
  const std::shared_lock lock(mutex_);
  visit_range(root_, from, to, [&](const Entry& entry) {
    sum += entry.value;
    return true;
  });
  return sum;
}

std::size_t TreeMap::erase_range(Key from, Key to) {
  std::vector<Key> keys;
  const std::unique_lock lock(mutex_);
  visit_range(root_, from, to, [&](const Entry& entry) {
    keys.push_back(entry.key);
    return true;
  });
  forget_selection();
  for (const Key key : keys) ordered::erase(root_, key);
  return keys.size();
}

void TreeMap::add_to_range(Key from, Key to, Value amount) {
  const std::unique_lock lock(mutex_);
  for (const Node* node = above(root_, from, true); node != nullptr && node->entry.key < to;
       node = above(root_, node->entry.key, false)) {
    ordered::find(root_, node->entry.key)->entry.value += amount;
  }
}

SubMap TreeMap::sub_map(Key from, Key to) {
  return SubMap(*this, from, to);
}

std::vector<Entry> TreeMap::page(Key from, Key to, std::size_t limit) const {
  std::vector<Entry> result;
  if (limit == 0) return result;
  const std::shared_lock lock(mutex_);
  visit_range(root_, from, to, [&](const Entry& entry) {
    result.push_back(entry);
    return result.size() < limit;
  });
  return result;
}

std::size_t TreeMap::rank(Key key) const {
  count_lookup();
  const std::shared_lock lock(mutex_);
  return ordered::rank(root_, key);
}

std::optional<Entry> TreeMap::select(std::size_t index) const {
  count_lookup();
  const std::shared_lock lock(mutex_);
  const Node* node = nullptr;
  if (selected_ != nullptr && index == selected_index_) {
    node = selected_;
  } else if (selected_ != nullptr && index == selected_index_ + 1) {
    node = above(root_, selected_->entry.key, false);
  } else {
    node = ordered::select(root_, index);
  }
  selected_ = node;
  selected_index_ = index;
  return entry_of(node);
}

std::optional<Entry> TreeMap::median() const {
  count_lookup();
  const std::shared_lock lock(mutex_);
  return entry_of(ordered::select(root_, count_of(root_) / 2));
}

std::vector<Entry> TreeMap::entries() const {
  return range(kFirst, kLast);
}

void TreeMap::check_invariants() const {
  const std::shared_lock lock(mutex_);
  check(root_);
}

std::optional<Value> SubMap::find(Key key) const {
  return covers(key) ? map_.find(key) : std::nullopt;
}

std::optional<Entry> SubMap::first() const {
  const auto entry = map_.ceiling(from_);
  return entry && covers(entry->key) ? entry : std::nullopt;
}

std::optional<Entry> SubMap::last() const {
  const auto entry = map_.lower(to_);
  return entry && covers(entry->key) ? entry : std::nullopt;
}

std::optional<Value> SubMap::put(Key key, Value value) {
  if (!covers(key)) throw std::out_of_range("the key is outside of this part of the map");
  return map_.put(key, value);
}

std::optional<Value> SubMap::erase(Key key) {
  return covers(key) ? map_.erase(key) : std::nullopt;
}

}  // namespace ordered
