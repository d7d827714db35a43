// Aligns the statements of a function with those of its other version.
//
// Equal statements are paired by a longest common subsequence that prefers equal enclosing conditions and
// equal neighbours, which is what tells duplicates apart. In the gaps that remain, statements of one kind
// that are alike are taken as modified. Only then is it known which local is which, and whether paired
// statements are really the same.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "change/statement_index.h"

namespace heddle {

struct StatementPair {
  uint32_t before = 0;
  uint32_t after = 0;
  bool modified = false;
  std::string because;  // of a modification that is not in its words
};

struct Alignment {
  std::vector<StatementPair> pairs;  // by `after`
  std::vector<uint32_t> old_local;   // per local of the new version: its number in the old one, or 0
};

// `renamed`: words of the new version that stand for another word of the old one (fields that were renamed).
// They make statements alike, not equal.
using RenamedWords = std::unordered_map<uint32_t, uint32_t>;

Alignment align_statements(const IndexedFunction& before, const IndexedFunction& after,
                           const RenamedWords& renamed, WordTable& words);

// Statements of `before_left` that stand unchanged in another function, in the same order: code that was
// moved out of a function or into one. Empty if what they share is too little to tell.
std::vector<StatementPair> align_moved(const IndexedFunction& before,
                                       const std::vector<uint32_t>& before_left, const IndexedFunction& after,
                                       const std::vector<uint32_t>& after_left, WordTable& words);

}  // namespace heddle
