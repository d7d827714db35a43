// Wakeup trees: the sequences of steps with which a search will go on, at each state of its current path.
//
// From "Source Sets: A Foundation for Optimal Dynamic Partial Order Reduction" (Abdulla, Aronsis, Jonsson,
// Sagonas; JACM 2017), section 6. A branch is executed to its end, then the search is free; so a branch must
// be long enough that no step which has been explored before is still asleep at its end. Branches to the left
// are executed before those to the right.
#pragma once

#include <memory>

#include "explore/effect.h"

namespace heddle {

// A step that has been executed or is to be executed.
struct Move {
  Choice choice;
  uint32_t process = 0;  // the thread that executes it: with kWake, the one that notifies
  std::shared_ptr<const Effects> effects;
  bool uncertain = false;  // it may do less than `effects` when it is executed
};

// A sequence of steps that shall be executed, in this order. What is `essential` is the last one and all that
// must come before it; the others happened as well in the execution that it was taken from, independently.
struct Sequence {
  struct Item {
    const Move* move = nullptr;
    bool essential = true;
    bool taken = false;  // it is on the way to where the rest shall go
  };
  std::vector<Item> items;
};

// How a step relates to a sequence that could be executed at the same state (JACM 2017, definition 4.2).
struct Relation {
  enum Kind {
    kInitial,      // it is in the sequence, and can be the first of it
    kIndependent,  // it is not in the sequence, and its order to all of it does not matter
    kConflicts,    // the sequence does something before it that matters to it
  } kind;
  size_t item = 0;  // kInitial: which one it is; kConflicts: which one matters
};
Relation relation(const Move& move, const Sequence& sequence, bool essential_only);

class WakeupForest {
 public:
  using Tree = uint32_t;  // the first branch, or 0
  struct Branch {
    Move move;
    Tree rest = 0;
  };

  // Removes the leftmost branch. The tree must have one.
  Branch take_first(Tree* tree);
  void clear(Tree* tree);

  // Whether a branch begins with that choice.
  bool has(Tree tree, const Choice& choice) const;
  // A new rightmost branch.
  void add_branch(Tree* tree, const Move& move);

  // Makes sure that the tree leads to all that can follow the sequence; the last item is last in the sequence
  // in any case. Of the others that are not essential at least `needed` items are to be inserted. Returns
  // whether this holds for everything that begins with the essential part.
  bool insert(Tree* tree, Sequence* sequence, size_t needed);

  size_t size() const { return used_; }

 private:
  struct Node {
    Move move;
    Tree child = 0;
    Tree next = 0;  // to the right
    // It may turn out that something is still asleep after it: then what wakes it has to be in the tree.
    bool may_grow = false;
  };

  Tree add(const Move& move);
  void append(Tree* tree, const Sequence& sequence, size_t needed, bool in_doubt);

  std::vector<Node> nodes_ = std::vector<Node>(1);
  std::vector<Tree> free_;
  size_t used_ = 0;
};

}  // namespace heddle
