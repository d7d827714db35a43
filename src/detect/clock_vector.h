// ClockVector: what somebody knows of all threads, shared until one of the owners learns more.
//
// Entry i is the last interval of slot i that is known; beyond the end nothing is. Passing knowledge on is
// copying a pointer. Since a thread's own interval is kept apart from its vector, releasing does not change
// the vector, and threads that never synchronise with others have none: many threads cost little.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace heddle::detect {

// Gives out blocks in powers of two and takes them back.
class ClockPool {
 public:
  struct Block {
    uint32_t references;
    uint32_t capacity;
    uint32_t size;
    uint32_t padding;

    uint32_t* clocks() { return reinterpret_cast<uint32_t*>(this + 1); }
  };

  ClockPool() = default;
  ClockPool(const ClockPool&) = delete;
  ClockPool& operator=(const ClockPool&) = delete;
  ~ClockPool();

  // With one reference and the given number of entries, not initialised.
  Block* allocate(uint32_t size);
  void release(Block* block) {
    if (--block->references == 0) put_back(block);
  }
  uint64_t bytes() const { return bytes_; }

 private:
  void put_back(Block* block);

  static constexpr uint32_t kSmallest = 12;  // with its head, one cache line
  std::array<std::vector<Block*>, 32> free_;
  std::vector<Block*> all_;
  uint64_t bytes_ = 0;
};

class ClockVector {
 public:
  ClockVector() = default;
  ClockVector(const ClockVector& other) : pool_(other.pool_), block_(other.block_) {
    if (block_ != nullptr) block_->references++;
  }
  ClockVector(ClockVector&& other) noexcept : pool_(other.pool_), block_(other.block_) {
    other.block_ = nullptr;
  }
  ClockVector& operator=(const ClockVector& other) {
    if (other.block_ != nullptr) other.block_->references++;
    clear();
    pool_ = other.pool_;
    block_ = other.block_;
    return *this;
  }
  ClockVector& operator=(ClockVector&& other) noexcept {
    if (this == &other) return *this;
    clear();
    pool_ = other.pool_;
    block_ = other.block_;
    other.block_ = nullptr;
    return *this;
  }
  ~ClockVector() { clear(); }

  uint32_t operator[](uint32_t slot) const {
    return block_ != nullptr && slot < block_->size ? block_->clocks()[slot] : 0;
  }
  uint32_t size() const { return block_ != nullptr ? block_->size : 0; }
  void clear() {
    if (block_ != nullptr) pool_->release(block_);
    block_ = nullptr;
  }

  void learn(ClockPool& pool, uint32_t slot, uint32_t clock);
  void learn(ClockPool& pool, const ClockVector& other);

 private:
  // Makes it the only owner of a block with room for `size` entries.
  void own(ClockPool& pool, uint32_t size);

  ClockPool* pool_ = nullptr;
  ClockPool::Block* block_ = nullptr;
};

}  // namespace heddle::detect
