#include "explore/wakeup_tree.h"

#include <algorithm>

namespace heddle {
namespace {

// Beyond this many planned steps (about 200 MB) only the first one of a sequence is kept. Then sleep sets
// have to find out what has been executed before.
constexpr size_t kMaxPlanned = 4'000'000;

}  // namespace

Relation relation(const Move& move, const Sequence& sequence, bool essential_only) {
  const auto considered = [&](const Sequence::Item& item) {
    return !item.taken && (item.essential || !essential_only);
  };
  // As part of the sequence it does what it did there.
  const Effects* effects = move.effects.get();
  size_t own = sequence.items.size();
  for (size_t i = 0; i < sequence.items.size(); ++i) {
    const Sequence::Item& item = sequence.items[i];
    if (!considered(item) || item.move->process != move.process) continue;
    if (item.move->choice != move.choice) {
      own = i;
      break;
    }
    own = i;
    effects = item.move->effects.get();
    break;
  }
  for (size_t i = 0; i < own; ++i) {
    const Sequence::Item& item = sequence.items[i];
    if (considered(item) && depend(*item.move->effects, *effects)) return {Relation::kConflicts, i};
  }
  if (own == sequence.items.size()) return {Relation::kIndependent};
  const bool same = sequence.items[own].move->choice == move.choice;
  return {same ? Relation::kInitial : Relation::kConflicts, own};
}

WakeupForest::Tree WakeupForest::add(const Move& move) {
  used_++;
  if (free_.empty()) {
    nodes_.push_back({move});
    return static_cast<Tree>(nodes_.size() - 1);
  }
  const Tree node = free_.back();
  free_.pop_back();
  nodes_[node] = {move};
  return node;
}

WakeupForest::Branch WakeupForest::take_first(Tree* tree) {
  const Tree first = *tree;
  Node& node = nodes_[first];
  Branch branch{std::move(node.move), node.child};
  *tree = node.next;
  node = {};
  free_.push_back(first);
  used_--;
  return branch;
}

void WakeupForest::clear(Tree* tree) {
  while (*tree != 0) {
    Branch branch = take_first(tree);
    if (branch.rest == 0) continue;
    // The rest goes in front of what is left, so that deep trees need no stack.
    Tree last = branch.rest;
    while (nodes_[last].next != 0) last = nodes_[last].next;
    nodes_[last].next = *tree;
    *tree = branch.rest;
  }
}

bool WakeupForest::has(Tree tree, const Choice& choice) const {
  for (; tree != 0; tree = nodes_[tree].next) {
    if (nodes_[tree].move.choice == choice) return true;
  }
  return false;
}

bool WakeupForest::insert(Tree* tree, Sequence* sequence, size_t needed) {
  bool for_all = true;
  bool in_doubt = false;
  Tree above = 0;
  Tree at = *tree;
  while (at != 0) {
    // What is independent of the essential part may conflict with the rest.
    Relation found = relation(nodes_[at].move, *sequence, true);
    const bool essential = found.kind != Relation::kIndependent;
    if (!essential) found = relation(nodes_[at].move, *sequence, false);
    if (found.kind == Relation::kConflicts) {
      in_doubt |= nodes_[at].move.uncertain;
      if (!essential) needed = std::max(needed, found.item + 1);
      at = nodes_[at].next;
      continue;
    }
    if (found.kind == Relation::kInitial) sequence->items[found.item].taken = true;
    for_all &= essential;
    above = at;
    at = nodes_[above].child;
    const bool all_taken = std::all_of(sequence->items.begin(), sequence->items.end(),
                                       [](const Sequence::Item& i) { return i.taken || !i.essential; });
    if (all_taken || (at == 0 && !nodes_[above].may_grow)) return for_all;
  }
  Tree root = above == 0 ? *tree : nodes_[above].child;
  append(&root, *sequence, needed, in_doubt);
  (above == 0 ? *tree : nodes_[above].child) = root;
  return for_all;
}

void WakeupForest::add_branch(Tree* tree, const Move& move) {
  Sequence sequence;
  sequence.items.push_back({&move});
  append(tree, sequence, 0, false);
}

// A new rightmost branch.
void WakeupForest::append(Tree* tree, const Sequence& sequence, size_t needed, bool in_doubt) {
  Tree last = *tree;
  while (last != 0 && nodes_[last].next != 0) last = nodes_[last].next;
  Tree above = 0;
  for (size_t i = 0; i < sequence.items.size(); ++i) {
    const Sequence::Item& item = sequence.items[i];
    if (item.taken || (!item.essential && i >= needed)) continue;
    const Tree node = add(*item.move);
    if (above != 0)
      nodes_[above].child = node;
    else if (last != 0)
      nodes_[last].next = node;
    else
      *tree = node;
    above = node;
    nodes_[node].may_grow = in_doubt || item.move->uncertain;
    if (used_ > kMaxPlanned) return;
  }
}

}  // namespace heddle
