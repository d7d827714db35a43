// Hands out small numbers, each to one owner at a time: file descriptors, slots of a table, colours.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <optional>

#include "bit_set.h"

namespace bits {

class IdAllocator {
 public:
  explicit IdAllocator(std::size_t count) : used_(count) {}

  // A free id, if there is one. Looks for it from where the last search ended.
  std::optional<std::size_t> try_acquire();

  // A free id; waits until there is one.
  std::size_t acquire();

  // Gives the id back. Throws std::logic_error if nobody has it.
  void release(std::size_t id);

  std::size_t in_use() const { return used_.count_range(0, used_.capacity()); }
  bool is_used(std::size_t id) const { return used_.test(id); }

  // How many acquisitions there were, and how many of them had to wait.
  std::size_t acquisitions() const;
  std::size_t waits() const;

 private:
  BitSet used_;
  std::atomic<std::size_t> hint_{0};

  mutable std::mutex mutex_;
  std::condition_variable released_;
  std::size_t acquisitions_ = 0;
  std::size_t waits_ = 0;
};

// An id that gives itself back.
class ScopedId {
 public:
  explicit ScopedId(IdAllocator& allocator) : allocator_(allocator), id_(allocator.acquire()) {}
  ~ScopedId() { allocator_.release(id_); }
  ScopedId(const ScopedId&) = delete;
  ScopedId& operator=(const ScopedId&) = delete;

  std::size_t get() const { return id_; }

 private:
  IdAllocator& allocator_;
  std::size_t id_;
};

}  // namespace bits
