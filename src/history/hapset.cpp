#include "history/hapset.h"

namespace heddle {

std::vector<uint64_t> HapSet::before(uint64_t statement) const {
  std::vector<uint64_t> found;
  for (auto at = pairs_.lower_bound({statement, 0, false}); at != pairs_.end() && at->statement == statement;
       ++at)
    found.push_back(at->before);
  return found;
}

size_t HapSet::merge(const HapSet& other) {
  const size_t size = pairs_.size();
  pairs_.insert(other.pairs_.begin(), other.pairs_.end());
  return pairs_.size() - size;
}

void HapSet::drop(const std::set<uint64_t>& statements) {
  std::erase_if(pairs_, [&](const Pair& pair) {
    return statements.count(pair.statement) != 0 || statements.count(pair.before) != 0;
  });
}

}  // namespace heddle
