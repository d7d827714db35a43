#include "interact/search/sequence.h"

#include <algorithm>

namespace heddle::interact {
namespace {

// Longer repetitions are written out.
constexpr size_t kLongestRepetition = 32;

uint64_t mixed(uint64_t value) {
  value ^= value >> 31;
  value *= 0x9e3779b97f4a7c15U;
  value ^= value >> 29;
  value *= 0xc2b2ae3d27d4eb4fU;
  return value ^ value >> 32;
}

}  // namespace

void FoldedSequence::add(StatementIndex statement) {
  if (!statements_.empty() && statements_.back() == statement) return;
  statements_.push_back(statement);
  const auto end = statements_.end();
  for (size_t period = 2; period <= kLongestRepetition && 3 * period <= statements_.size(); ++period) {
    const auto length = static_cast<std::ptrdiff_t>(period);
    if (!std::equal(end - length, end, end - 2 * length) || !std::equal(end - length, end, end - 3 * length))
      continue;
    statements_.erase(end - length, end);
    return;
  }
}

void SequenceKey::add(StatementIndex statement) {
  if (statement == last_) return;
  const std::pair step{last_, statement};
  last_ = statement;
  // A sum, since the order in which they came does not count.
  if (steps_.insert(step).second) value_ += mixed(uint64_t{step.first} << 32 | step.second);
}

uint64_t sequence_key(const std::vector<StatementIndex>& sequence) {
  SequenceKey key;
  for (const StatementIndex statement : sequence) key.add(statement);
  return key.value();
}

}  // namespace heddle::interact
