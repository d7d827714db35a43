#include "tiers.h"

namespace cache {

int PageStore::write(int page, int length) {
  const std::lock_guard lock(mutex_);
  ++revision_;
  for (Page& stored : pages_) {
    if (stored.number != page) continue;
    stored.length = length;
    return revision_;
  }
  pages_.push_back({page, length});
  return revision_;
}

bool PageStore::remove(int page) {
  const std::lock_guard lock(mutex_);
  return std::erase_if(pages_, [&](const Page& stored) { return stored.number == page; }) > 0;
}

std::optional<int> PageStore::length(int page) const {
  const std::lock_guard lock(mutex_);
  for (const Page& stored : pages_) {
    if (stored.number == page) return stored.length;
  }
  return std::nullopt;
}

std::size_t PageStore::pages() const {
  const std::lock_guard lock(mutex_);
  return pages_.size();
}

std::uint64_t checksum(int page, int lines) {
  constexpr int kColumns = 800;
  std::uint64_t sum = 0xcbf29ce484222325;
  for (int line = 0; line < lines; ++line) {
    for (int column = 0; column < kColumns; ++column) {
      const int letter = 32 + (page * 31 + line * column) % 95;
      sum = (sum ^ static_cast<std::uint64_t>(letter)) * 0x100000001b3;
    }
  }
  return sum;
}

void TierRates::hit(Tier tier) {
  const std::lock_guard lock(mutex_);
  ++rates_[static_cast<std::size_t>(tier)].hits;
  ++lookups_;
}

void TierRates::miss(Tier tier) {
  const std::lock_guard lock(mutex_);
  ++rates_[static_cast<std::size_t>(tier)].misses;
  ++lookups_;
}

int TierRates::lookups() const {
  const std::lock_guard lock(mutex_);
  return lookups_;
}

int TierRates::rate(Tier tier) const {
  const std::lock_guard lock(mutex_);
  const Rate& of_tier = rates_[static_cast<std::size_t>(tier)];
  const int lookups = of_tier.hits + of_tier.misses;
  return lookups == 0 ? 0 : 100 * of_tier.hits / lookups;
}

}  // namespace cache
