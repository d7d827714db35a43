#include "detect/lock_sets.h"

#include <algorithm>

namespace heddle::detect {
namespace {

bool is_reading(uint32_t member) {
  return member % 2 != 0;
}

}  // namespace

LockSets::LockSets() : remembered_(size_t{1} << kRememberedBits), begins_{0} {
  intern({});
}

std::span<const uint32_t> LockSets::members(Set set) const {
  return {members_.data() + begins_[set], static_cast<size_t>(begins_[set + 1] - begins_[set])};
}

LockSets::Set LockSets::intern(const std::vector<uint32_t>& members) {
  uint64_t hash = members.size();
  for (const uint32_t member : members) hash = (hash ^ member) * 0x9e3779b97f4a7c15ull;
  for (auto [at, end] = by_hash_.equal_range(hash); at != end; ++at)
    if (std::ranges::equal(this->members(at->second), members)) return at->second;
  const auto set = static_cast<Set>(begins_.size() - 1);
  members_.insert(members_.end(), members.begin(), members.end());
  begins_.push_back(members_.size());
  by_hash_.emplace(hash, set);
  return set;
}

uint32_t LockSets::compute_anew(Operation operation, uint32_t a, uint32_t b) {
  const std::span<const uint32_t> of_a = members(a);
  scratch_.assign(of_a.begin(), of_a.end());
  switch (operation) {
    case Operation::kWith: {
      const auto at = std::lower_bound(scratch_.begin(), scratch_.end(), b);
      if (at == scratch_.end() || *at != b) scratch_.insert(at, b);
      break;
    }
    case Operation::kWithout:
      std::erase(scratch_, b);
      break;
    case Operation::kProtecting:
      if (b != 0) std::erase_if(scratch_, is_reading);
      for (uint32_t& member : scratch_) member &= ~1u;
      scratch_.erase(std::unique(scratch_.begin(), scratch_.end()), scratch_.end());
      break;
    case Operation::kKeepForRead:
    case Operation::kKeepForWrite: {
      const std::span<const uint32_t> held = members(b);
      std::erase_if(scratch_, [&](uint32_t candidate) {
        return !std::ranges::any_of(held, [&](uint32_t member) {
          return lock_of(member) == lock_of(candidate) &&
                 (operation == Operation::kKeepForRead || !is_reading(member));
        });
      });
      break;
    }
    case Operation::kCommon: {
      const auto has = [](std::span<const uint32_t> set, uint32_t member) {
        return std::ranges::binary_search(set, member);
      };
      const std::span<const uint32_t> of_b = members(b);
      scratch_.clear();
      for (const uint32_t x : of_a) {
        const uint32_t lock = lock_of(x);
        const uint32_t writing = member(lock, false), reading = member(lock, true);
        if (!has(of_b, writing) && !has(of_b, reading)) continue;
        const uint32_t both = has(of_a, writing) && has(of_b, writing) ? writing : reading;
        if (scratch_.empty() || scratch_.back() != both) scratch_.push_back(both);
      }
      break;
    }
    case Operation::kExclude: {
      const std::span<const uint32_t> of_b = members(b);
      return std::ranges::any_of(scratch_, [&](uint32_t x) {
        return std::ranges::any_of(
            of_b, [&](uint32_t y) { return lock_of(x) == lock_of(y) && !(is_reading(x) && is_reading(y)); });
      });
    }
    case Operation::kNone:
      break;
  }
  return intern(scratch_);
}

uint64_t LockSets::bytes() const {
  return remembered_.size() * sizeof(Remembered) + members_.capacity() * sizeof(uint32_t) +
         begins_.capacity() * sizeof(uint64_t) + by_hash_.size() * 48;
}

}  // namespace heddle::detect
