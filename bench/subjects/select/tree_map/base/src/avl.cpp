#include "avl.h"

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <utility>

namespace ordered {
namespace {

void update(Node& node) {
  node.height = 1 + std::max(height_of(node.left), height_of(node.right));
  node.count = 1 + count_of(node.left) + count_of(node.right);
}

int slope(const Node& node) {
  return height_of(node.left) - height_of(node.right);
}

void rotate_right(Link& root) {
  Link pivot = std::move(root->left);
  root->left = std::move(pivot->right);
  update(*root);
  pivot->right = std::move(root);
  root = std::move(pivot);
  update(*root);
}

void rotate_left(Link& root) {
  Link pivot = std::move(root->right);
  root->right = std::move(pivot->left);
  update(*root);
  pivot->left = std::move(root);
  root = std::move(pivot);
  update(*root);
}

// Restores the balance of a node whose subtrees are balanced and differ by two levels at most.
void rebalance(Link& root) {
  update(*root);
  if (slope(*root) > 1) {
    if (slope(*root->left) < 0) rotate_left(root->left);
    rotate_right(root);
  } else if (slope(*root) < -1) {
    if (slope(*root->right) > 0) rotate_right(root->right);
    rotate_left(root);
  }
}

Link take_first_node(Link& root) {
  if (root->left) {
    Link first = take_first_node(root->left);
    rebalance(root);
    return first;
  }
  Link first = std::move(root);
  root = std::move(first->right);
  return first;
}

Link build_between(const std::vector<Entry>& sorted, std::size_t begin, std::size_t end) {
  if (begin == end) return nullptr;
  const std::size_t middle = begin + (end - begin) / 2;
  auto node = std::make_unique<Node>();
  node->entry = sorted[middle];
  node->left = build_between(sorted, begin, middle);
  node->right = build_between(sorted, middle + 1, end);
  update(*node);
  return node;
}

void check_between(const Link& link, Key low, Key high) {
  if (!link) return;
  const Node& node = *link;
  if (node.entry.key < low || node.entry.key > high) throw std::logic_error("the keys are not in order");
  if (std::abs(slope(node)) > 1) throw std::logic_error("the tree is not balanced");
  if (node.count != 1 + count_of(node.left) + count_of(node.right))
    throw std::logic_error("a count is wrong");
  if (node.height != 1 + std::max(height_of(node.left), height_of(node.right))) {
    throw std::logic_error("a height is wrong");
  }
  if (node.left) check_between(node.left, low, node.entry.key - 1);
  if (node.right) check_between(node.right, node.entry.key + 1, high);
}

}  // namespace

int height_of(const Link& link) {
  return link ? link->height : 0;
}

std::size_t count_of(const Link& link) {
  return link ? link->count : 0;
}

std::optional<Value> insert(Link& root, const Entry& entry, bool overwrite) {
  if (!root) {
    root = std::make_unique<Node>();
    root->entry = entry;
    return std::nullopt;
  }
  if (entry.key == root->entry.key) {
    const Value old = root->entry.value;
    if (overwrite) root->entry.value = entry.value;
    return old;
  }
  const auto old = insert(entry.key < root->entry.key ? root->left : root->right, entry, overwrite);
  if (!old) rebalance(root);
  return old;
}

std::optional<Value> erase(Link& root, Key key) {
  if (!root) return std::nullopt;
  std::optional<Value> old;
  if (key < root->entry.key) {
    old = erase(root->left, key);
  } else if (key > root->entry.key) {
    old = erase(root->right, key);
  } else {
    old = root->entry.value;
    if (!root->left) {
      root = std::move(root->right);
    } else if (!root->right) {
      root = std::move(root->left);
    } else {
      Link successor = take_first_node(root->right);
      successor->left = std::move(root->left);
      successor->right = std::move(root->right);
      root = std::move(successor);
    }
  }
  if (root && old) rebalance(root);
  return old;
}

Entry take_first(Link& root) {
  return take_first_node(root)->entry;
}

Link build(const std::vector<Entry>& sorted) {
  return build_between(sorted, 0, sorted.size());
}

Node* find(const Link& root, Key key) {
  Node* node = root.get();
  while (node != nullptr && node->entry.key != key) {
    node = key < node->entry.key ? node->left.get() : node->right.get();
  }
  return node;
}

const Node* below(const Link& root, Key key, bool inclusive) {
  const Node* best = nullptr;
  for (const Node* node = root.get(); node != nullptr;) {
    if (node->entry.key < key || (inclusive && node->entry.key == key)) {
      best = node;
      node = node->right.get();
    } else {
      node = node->left.get();
    }
  }
  return best;
}

const Node* above(const Link& root, Key key, bool inclusive) {
  const Node* best = nullptr;
  for (const Node* node = root.get(); node != nullptr;) {
    if (node->entry.key > key || (inclusive && node->entry.key == key)) {
      best = node;
      node = node->left.get();
    } else {
      node = node->right.get();
    }
  }
  return best;
}

std::size_t rank(const Link& root, Key key) {
  std::size_t smaller = 0;
  for (const Node* node = root.get(); node != nullptr;) {
    if (node->entry.key < key) {
      smaller += 1 + count_of(node->left);
      node = node->right.get();
    } else {
      node = node->left.get();
    }
  }
  return smaller;
}

const Node* select(const Link& root, std::size_t index) {
  const Node* node = root.get();
  while (node != nullptr) {
    const std::size_t left = count_of(node->left);
    if (index == left) return node;
    if (index < left) {
      node = node->left.get();
    } else {
      index -= left + 1;
      node = node->right.get();
    }
  }
  return nullptr;
}

bool visit_range(const Link& root, Key from, Key to, const std::function<bool(const Entry&)>& visit) {
  if (!root) return true;
  const Key key = root->entry.key;
  if (from < key && !visit_range(root->left, from, to, visit)) return false;
  if (from <= key && key < to && !visit(root->entry)) return false;
  return key >= to || visit_range(root->right, from, to, visit);
}

void check(const Link& root) {
  check_between(root, std::numeric_limits<Key>::min(), std::numeric_limits<Key>::max());
}

}  // namespace ordered
