// Sequences of changed statements (or nodes) as people and the search tell them apart: loops are folded.
#pragma once

#include <cstdint>
#include <set>
#include <utility>
#include <vector>

#include "interact/flow.h"

namespace heddle::interact {

// Keeps what is repeated at once twice, a single statement once: "a a a" is "a", "a b a b a b a" is "a b a b
// a". So whatever comes in one order in the execution still does, for any two.
class FoldedSequence {
 public:
  void add(StatementIndex statement);
  const std::vector<StatementIndex>& statements() const { return statements_; }
  std::vector<StatementIndex> take() { return std::move(statements_); }

 private:
  std::vector<StatementIndex> statements_;
};

// What sequences are equal by, for the search: which statement was ever followed by which. A loop over input
// has no end of sequences, but few of these.
class SequenceKey {
 public:
  void add(StatementIndex statement);
  uint64_t value() const { return value_; }

 private:
  std::set<std::pair<StatementIndex, StatementIndex>> steps_;
  StatementIndex last_ = kNone;
  uint64_t value_ = 0;
};

uint64_t sequence_key(const std::vector<StatementIndex>& sequence);

}  // namespace heddle::interact
