// HapSet: which statements have been seen to come right before which, on the same object.
//
// History-aware predecessor sets (Wang, Said and Gupta, ICSE 2011). A statement is a place in the source with
// the innermost calls that led there (statement.h), here named by its key; which thread executed it is kept
// only relative to the other statement of a pair: whether it was the thread with the smaller or the larger
// number. So the sets say the same of ten threads as of two. Sets of several searches, machines and versions
// of a program can be put together.
#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <vector>

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

}  // namespace heddle
