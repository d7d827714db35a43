// Hands out numbers, one at a time or in aligned blocks, and takes single ones back.
#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <vector>

namespace ids {

using Id = std::uint64_t;

struct Block {
  Id first = 0;
  Id size = 0;

  bool contains(Id id) const { return id >= first && id - first < size; }
  bool overlaps(const Block& other) const;
};

// What was asked for so far.
struct Usage {
  int singles = 0;
  int blocks = 0;
  int reused = 0;
  int released = 0;
};

class BlockIds {
 public:
  explicit BlockIds(Id first = 0) : next_(first) {}

  Id allocate();

  // A block that begins at a multiple of its size; what is skipped for that can be had one at a time.
  Block allocate_block(Id size);

  void release(Id id);

  // The first number above all that were ever handed out.
  Id limit() const;
  std::size_t reusable() const;
  Usage usage() const;

 private:
  mutable std::mutex mutex_;
  Id next_;
  std::vector<Id> reusable_;
  Usage usage_;
};

}  // namespace ids
