// HapSet: which statements have been seen to come right before which, on the same object.
//
// History-aware predecessor sets (Wang, Said and Gupta, ICSE 2011). A statement is a place in the source with
// the innermost calls that led there; which thread executed it is kept only relative to the other statement
// of a pair: whether it was the thread with the smaller or the larger number. So the sets say the same of ten
// threads as of two. Sets of several searches, machines and versions of a program can be put together.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "explore/effect.h"
#include "support/error.h"

namespace heddle {

class HapSet {
 public:
  // `before` has been executed right before `statement`.
  struct Pair {
    uint64_t statement = 0;
    uint64_t before = 0;
    bool by_larger = false;  // `statement` was executed by the thread with the larger number

    auto operator<=>(const Pair&) const = default;
  };

  bool add(const Pair& pair) { return pairs_.insert(pair).second; }
  bool contains(const Pair& pair) const { return pairs_.count(pair) != 0; }
  size_t size() const { return pairs_.size(); }
  const std::set<Pair>& pairs() const { return pairs_; }
  // The statements that have been seen right before this one.
  std::vector<uint64_t> before(uint64_t statement) const;

  // Returns how many pairs were new.
  size_t merge(const HapSet& other);
  // Forgets the pairs in which one of these statements takes part, because it has changed.
  void drop(const std::set<uint64_t>& statements);

  bool operator==(const HapSet&) const = default;

 private:
  std::set<Pair> pairs_;
};

// Adds what one execution shows. It should not have failed: what has been seen to be good is not tried again.
// Returns how many pairs were new.
size_t learn(const Observation& seen, HapSet* sets);

// Unlocks and posts, which are no statements of interest.
bool lets_go(const Effect& effect);

// A wait that ends by its timeout is another statement than one that is notified.
uint64_t statement_of(const Operation& operation, trace::StepKind chosen);

// One line for each pair, sorted, so that the text of equal sets is equal.
std::string print_hapset(const HapSet& sets);
// `name` stands for the file in errors.
Expected<HapSet> parse_hapset(std::string_view text, const std::string& name);

}  // namespace heddle
