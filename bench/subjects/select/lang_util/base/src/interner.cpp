#include "interner.h"

namespace lang {

Interner::Interned Interner::intern(const std::string& text) {
  Shard& shard = shards_[shard_of(text)];
  const std::lock_guard lock(shard.mutex);
  Interned& place = shard.strings[text];
  if (place) {
    ++shard.hits;
  } else {
    place = std::make_shared<const std::string>(text);
    ++shard.count;
  }
  return place;
}

Interner::Interned Interner::find(const std::string& text) const {
  const Shard& shard = shards_[shard_of(text)];
  const std::lock_guard lock(shard.mutex);
  const auto found = shard.strings.find(text);
  return found == shard.strings.end() ? nullptr : found->second;
}

std::size_t Interner::size() const {
  std::size_t total = 0;
  for (const Shard& shard : shards_) {
    const std::lock_guard lock(shard.mutex);
    total += shard.count;
  }
  return total;
}

std::size_t Interner::hits() const {
  std::size_t total = 0;
  for (const Shard& shard : shards_) {
    const std::lock_guard lock(shard.mutex);
    total += shard.hits;
  }
  return total;
}

std::size_t Interner::collect() {
  std::size_t removed = 0;
  for (Shard& shard : shards_) {
    const std::lock_guard lock(shard.mutex);
    const std::size_t gone =
        std::erase_if(shard.strings, [](const auto& item) { return item.second.use_count() == 1; });
    shard.count -= gone;
    removed += gone;
  }
  return removed;
}

}  // namespace lang
