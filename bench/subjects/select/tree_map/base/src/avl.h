// The balanced tree itself: nodes that know the height and the number of entries below them, and the
// functions that keep both right. Nothing here locks; a tree belongs to whoever holds its root.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace ordered {

using Key = std::int64_t;
using Value = std::int64_t;

struct Entry {
  Key key = 0;
  Value value = 0;

  bool operator==(const Entry&) const = default;
};

struct Node;
using Link = std::unique_ptr<Node>;

struct Node {
  Entry entry;
  int height = 1;
  std::size_t count = 1;
  Link left;
  Link right;
};

int height_of(const Link& link);
std::size_t count_of(const Link& link);

// Puts the entry into the tree. If the key is there already, only its value changes, and only with
// `overwrite`. Returns the old value.
std::optional<Value> insert(Link& root, const Entry& entry, bool overwrite);

// Takes the entry out of the tree and returns its value.
std::optional<Value> erase(Link& root, Key key);

// Takes the smallest entry out of a tree that is not empty.
Entry take_first(Link& root);

// A balanced tree of entries that are in ascending order.
Link build(const std::vector<Entry>& sorted);

Node* find(const Link& root, Key key);

// The nearest entry on one side of `key`; with `inclusive`, `key` itself counts.
const Node* below(const Link& root, Key key, bool inclusive);
const Node* above(const Link& root, Key key, bool inclusive);

// How many keys are smaller than `key`.
std::size_t rank(const Link& root, Key key);

// The entry with so many smaller ones, null if the tree has not that many.
const Node* select(const Link& root, std::size_t index);

// Calls `visit` for the entries with from <= key < to, in order, until it returns false. Returns whether it
// never did.
bool visit_range(const Link& root, Key from, Key to, const std::function<bool(const Entry&)>& visit);

// Throws std::logic_error unless the tree is ordered, balanced and its counts and heights are right.
void check(const Link& root);

}  // namespace ordered
