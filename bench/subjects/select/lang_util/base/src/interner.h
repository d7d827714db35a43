// Keeps one copy of equal strings, so that they can be compared by address. Spread over several shards, each
// with a lock of its own, so that threads seldom meet.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>

namespace lang {

class Interner {
 public:
  using Interned = std::shared_ptr<const std::string>;
  static constexpr std::size_t kShards = 8;

  // The one copy of this string.
  Interned intern(const std::string& text);

  // The copy if there is one, else null.
  Interned find(const std::string& text) const;

  // How many strings there are.
  std::size_t size() const;

  // How often `intern` had the string already.
  std::size_t hits() const;

  // Forgets the strings that nobody else has any more. Returns how many.
  std::size_t collect();

 private:
  struct Shard {
    mutable std::mutex mutex;
    std::unordered_map<std::string, Interned> strings;
    std::size_t count = 0;
    std::size_t hits = 0;
  };

  static std::size_t shard_of(const std::string& text) { return std::hash<std::string>()(text) % kShards; }

  std::array<Shard, kShards> shards_;
};

}  // namespace lang
